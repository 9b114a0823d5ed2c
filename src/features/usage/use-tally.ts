import { mostUserAgents, type Use, type UsedSurface } from './use.js';
import { type ClientHeaders, storedUserAgent } from './user-agent.js';

/** Counts uses in memory. To count one takes a few look-ups, because every request does it. */
export class UseTally {
  #keys = new Map<string, Map<string, Calls>>();

  count(keyId: string, surface: UsedSurface, name: string, headers: ClientHeaders, now = Date.now()): void {
    const tally = this.#callsOf(keyId, surface, name).by(headers);
    tally.calls++;
    if (now < tally.firstAt) tally.firstAt = now;
    if (now > tally.lastAt) tally.lastAt = now;
  }

  /** What was counted so far; from now on it counts anew. */
  take(): Use[] {
    const keys = this.#keys;
    this.#keys = new Map();
    return [...keys].flatMap(([keyId, names]) =>
      [...names].flatMap(([name, { surface, tallies }]) =>
        [...tallies.values()].map((tally) => ({ keyId, surface, name, ...tally })),
      ),
    );
  }

  /** Counts again what was taken and could not be stored. */
  giveBack(uses: readonly Use[]): void {
    for (const { keyId, surface, name, userAgent, calls, firstAt, lastAt } of uses) {
      const tally = this.#callsOf(keyId, surface, name).by({ 'user-agent': userAgent });
      tally.calls += calls;
      tally.firstAt = Math.min(tally.firstAt, firstAt);
      tally.lastAt = Math.max(tally.lastAt, lastAt);
    }
  }

  #callsOf(keyId: string, surface: UsedSurface, name: string): Calls {
    let names = this.#keys.get(keyId);
    if (!names) {
      names = new Map();
      this.#keys.set(keyId, names);
    }
    let calls = names.get(name);
    if (!calls) {
      calls = new Calls(surface);
      names.set(name, calls);
    }
    return calls;
  }
}

type Tally = Pick<Use, 'userAgent' | 'calls' | 'firstAt' | 'lastAt'>;

/** The characters by which user agents are distinguished in memory. */
const compared = 200;

/** The calls of one thing by one key, for each user agent. */
class Calls {
  /** By the user agent as it was sent. */
  readonly tallies = new Map<string, Tally>();
  #last: { sent: string; tally: Tally } | undefined;

  constructor(readonly surface: UsedSurface) {}

  /** The next call mostly comes from the same client as the last one. */
  by({ 'user-agent': userAgent = '', authorization }: ClientHeaders): Tally {
    if (this.#last?.sent === userAgent) return this.#last.tally;
    // A copy, because the part of a string keeps the whole of it in memory.
    const sent = userAgent.length > compared ? Buffer.from(userAgent.slice(0, compared)).toString() : userAgent;
    const tally = this.tallies.get(sent) ?? this.#add(sent, userAgent, authorization);
    this.#last = { sent, tally };
    return tally;
  }

  #add(sent: string, userAgent: string, authorization: string | undefined): Tally {
    const told = this.tallies.size < mostUserAgents ? sent : '';
    const tally = this.tallies.get(told) ?? {
      userAgent: storedUserAgent(told && userAgent, authorization),
      calls: 0,
      firstAt: Number.POSITIVE_INFINITY,
      lastAt: Number.NEGATIVE_INFINITY,
    };
    this.tallies.set(told, tally);
    return tally;
  }
}
