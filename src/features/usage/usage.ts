import type { Logger } from 'pino';
import { decodedWords } from '../../common/output.js';
import { type Procedure, rows, withoutListeners } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';

/** What is counted: the calls of REST endpoints, and the deprecated parts of the schema that GraphQL operations use. */
export type UsedSurface = 'rest' | 'graphql';

/** How often a key has called one thing with one user agent. */
export interface Use {
  keyId: string;
  surface: UsedSurface;
  /** The name of an endpoint, `AssetRepairList`, or a coordinate of the schema, `AssetRepair.title`. */
  name: string;
  /** Empty for all others together, where a key has used many. */
  userAgent: string;
  calls: number;
  /** Milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
}

/** The most user agents that are counted separately for a key and a name; further ones count together. */
export const mostUserAgents = 8;

/** The most characters that are kept of a user agent. */
export const longestUserAgent = 120;

/** The most rows that are kept. Beyond them, what was called longest ago is forgotten. */
export const mostUses = 50_000;

/** What is read of a request: its client, and the key that must not be stored with it. */
export interface ClientHeaders {
  'user-agent'?: string | undefined;
  authorization?: string | undefined;
}

/**
 * A user agent as it is stored: visible ASCII, shortened, and without the key of its request or what looks like one:
 * clients put strange things into this header, and no secret is ever written anywhere. It needs the header as a whole,
 * because the part of a key would not be found. What is stored already stays as it is.
 */
export function storedUserAgent(given: string, authorization = ''): string {
  const secret = authorization.replace(/^bearer +/i, '');
  const read = decodedWords(given);
  const plain = (secret === '' ? read : read.replaceAll(secret, '…'))
    .replace(/[^ -~…]/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/\w{24,}/g, '…')
    .trim();
  return plain.length > longestUserAgent ? `${plain.slice(0, longestUserAgent - 1)}…` : plain;
}

/** Counts uses in memory. To count one takes a few look-ups, because every request does it. */
class UseTally {
  #keys = new Map<string, Map<string, Calls>>();

  count(
    keyId: string,
    surface: UsedSurface,
    name: string,
    headers: ClientHeaders,
    calls = 1,
    firstAt = Date.now(),
    lastAt = firstAt,
  ): void {
    const tally = this.#callsOf(keyId, surface, name).by(headers);
    tally.calls += calls;
    tally.firstAt = Math.min(tally.firstAt, firstAt);
    tally.lastAt = Math.max(tally.lastAt, lastAt);
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
    for (const { keyId, surface, name, userAgent, calls, firstAt, lastAt } of uses)
      this.count(keyId, surface, name, { 'user-agent': userAgent }, calls, firstAt, lastAt);
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

/** Milliseconds from the first use that is not stored yet until all are stored: less than a minute in any case. */
const writtenAfter = 30_000;

/** Uses written in one transaction: on SQLite all writers wait for it. */
const batch = 1_000;

export interface UsageParts {
  database: Pick<Database, 'provider' | 'perform'>;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Milliseconds; see `writtenAfter`. */
  after?: number | undefined;
}

/**
 * Counts who calls what, in memory, and adds it to the database now and then, never while a request waits for it. What
 * could not be written is written the next time. If the connection is lost in a commit, it is unknown whether it
 * happened; it is then written again, because a call too many is less harm than one too few.
 */
export class Usage {
  readonly #tally = new UseTally();
  readonly #parts: UsageParts;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> = Promise.resolve(true);

  constructor(parts: UsageParts) {
    this.#parts = parts;
  }

  /** Notes that a key has called an endpoint, or used a deprecated part of the schema. */
  count(keyId: string, surface: UsedSurface, name: string, headers: ClientHeaders): void {
    this.#tally.count(keyId, surface, name, headers);
    this.#timer ??= this.#writeLater();
  }

  /** Writes what was counted so far; resolves with whether all of it is stored. */
  write(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Writes the rest, when no more requests are answered. */
  async close(): Promise<void> {
    if (!(await this.write())) this.#parts.log.error('Calls that were counted since could not be stored');
    clearTimeout(this.#timer);
  }

  #writeLater(): NodeJS.Timeout {
    return setTimeout(() => void this.write(), this.#parts.after ?? writtenAfter).unref();
  }

  async #writeAll(): Promise<boolean> {
    const { database, log } = this.#parts;
    const uses = this.#tally.take();
    for (let start = 0; start < uses.length; start += batch) {
      try {
        await database.perform(() => withoutListeners(addUses(database.provider, uses.slice(start, start + batch))));
      } catch (err) {
        log.warn({ err }, 'Calls that were counted could not be stored; they are kept until the next time');
        this.#tally.giveBack(uses.slice(start));
        this.#timer ??= this.#writeLater();
        return false;
      }
    }
    return true;
  }
}

/**
 * Adds uses to the stored ones in one transaction. Beyond `most` rows, the uses with the oldest calls are deleted.
 * Processes that do so at the same time take turns.
 */
export function* addUses(provider: Provider, uses: readonly Use[], most = mostUses): Procedure<void> {
  const sql = texts[provider];
  if (sql.lock) yield* rows(sql.lock, []);
  const keyIds = [...new Set(uses.map(({ keyId }) => keyId))];
  const stored = yield* rows(sql.userAgents, [JSON.stringify(keyIds)]);
  const known = new Map<string, Set<string>>();
  const knownOf = (id: string) => {
    const found = known.get(id) ?? new Set<string>();
    known.set(id, found);
    return found;
  };
  for (const [keyId, surface, name, userAgent] of stored) {
    if (userAgent !== '') knownOf(`${keyId} ${surface} ${name}`).add(String(userAgent));
  }
  const added = new Map<string, Use>();
  for (const use of uses) {
    const id = `${use.keyId} ${use.surface} ${use.name}`;
    const userAgents = knownOf(id);
    if (userAgents.size < mostUserAgents && use.userAgent !== '') userAgents.add(use.userAgent);
    const userAgent = userAgents.has(use.userAgent) ? use.userAgent : '';
    const row = added.get(`${id} ${userAgent}`);
    added.set(`${id} ${userAgent}`, row ? together(row, use) : { ...use, userAgent });
  }
  const values = [...added.values()].map((use) => [
    use.keyId,
    use.surface,
    use.name,
    use.userAgent,
    use.calls,
    use.firstAt,
    use.lastAt,
  ]);
  yield* rows(sql.add, [JSON.stringify(values)]);
  yield* rows(sql.forget, [most]);
}

const together = (one: Use, other: Use): Use => ({
  ...one,
  calls: one.calls + other.calls,
  firstAt: Math.min(one.firstAt, other.firstAt),
  lastAt: Math.max(one.lastAt, other.lastAt),
});

const columns = '"keyId", "surface", "name", "userAgent", "calls", "firstAt", "lastAt"';
const key = '"keyId", "surface", "name", "userAgent"';

/** `least` and `greatest` are the functions of the smaller and the greater value. */
const onConflict = (least: string, greatest: string) => `
  ON CONFLICT (${key}) DO UPDATE SET
    "calls" = "ApiUse"."calls" + excluded."calls",
    "firstAt" = ${least}("ApiUse"."firstAt", excluded."firstAt"),
    "lastAt" = ${greatest}("ApiUse"."lastAt", excluded."lastAt")`;

/** The rows beyond the most that are kept, by the column that names a row. */
const forget = (row: string, all: string, most: string) => `
  DELETE FROM "ApiUse" WHERE ${row} IN
    (SELECT ${row} FROM "ApiUse" ORDER BY "lastAt" DESC, ${key} ${all} OFFSET ${most})`;

const texts: Record<Provider, { lock?: string; userAgents: string; add: string; forget: string }> = {
  sqlite: {
    userAgents: `SELECT ${key} FROM "ApiUse" WHERE "keyId" IN (SELECT value FROM json_each(?))`,
    // "WHERE true" tells SQLite that ON belongs to the INSERT.
    add: `INSERT INTO "ApiUse" (${columns})
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
      FROM json_each(?) WHERE true ${onConflict('min', 'max')}`,
    forget: forget('rowid', 'LIMIT -1', '?'),
  },
  postgresql: {
    lock: 'SELECT gateway_claim_uses()',
    userAgents: `SELECT ${key} FROM "ApiUse" WHERE "keyId" = ANY (ARRAY(SELECT json_array_elements_text($1::json)))`,
    add: `INSERT INTO "ApiUse" (${columns})
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3,
             (value ->> 4)::bigint, (value ->> 5)::bigint, (value ->> 6)::bigint
      FROM json_array_elements($1::json) ${onConflict('least', 'greatest')}`,
    forget: forget('ctid', '', '$1'),
  },
};
