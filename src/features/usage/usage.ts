import type { IncomingHttpHeaders } from 'node:http';
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

export const longestUserAgent = 120;

/** The most rows that are kept. Beyond them, what was called longest ago is forgotten. */
export const mostUses = 50_000;

/** What is read of a request: its client, and the key that must not be stored with it. */
export type ClientHeaders = Pick<IncomingHttpHeaders, 'user-agent' | 'authorization'>;

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

type Tally = Pick<Use, 'userAgent' | 'calls' | 'firstAt' | 'lastAt'>;

/** The characters by which user agents are distinguished in memory. */
const compared = 200;

/** The calls of one thing by one key, for each user agent. */
class Calls {
  /** By the user agent as it was sent. */
  readonly tallies = new Map<string, Tally>();

  constructor(readonly of: Pick<Use, 'keyId' | 'surface' | 'name'>) {}

  by({ 'user-agent': userAgent = '', authorization }: ClientHeaders): Tally {
    // A copy, because the part of a string keeps the whole of it in memory.
    const sent = userAgent.length > compared ? Buffer.from(userAgent.slice(0, compared)).toString() : userAgent;
    return this.tallies.get(sent) ?? this.#add(sent, userAgent, authorization);
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

/** Milliseconds between two times at which what was counted is stored: less than a minute. */
const storedEvery = 30_000;

/** Uses written in one transaction: on SQLite all writers wait for it. */
const batch = 1_000;

export interface UsageParts {
  database: Pick<Database, 'provider' | 'perform'>;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Milliseconds; see `storedEvery`. */
  every?: number | undefined;
}

/**
 * Counts who calls what, in memory, and adds it to the database now and then, never while a request waits for it. To count a
 * call takes a few look-ups, because every request does it. What could not be written is written the next time. If the
 * connection is lost in a commit, it is unknown whether it happened; it is then written again, because a call too many is less
 * harm than one too few.
 */
export class Usage {
  /** By the ids of keys, and what they have called. */
  #calls = new Map<string, Map<string, Calls>>();
  #writing: Promise<boolean> = Promise.resolve(true);
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly parts: UsageParts) {
    this.#timer = setInterval(() => void this.write(), parts.every ?? storedEvery).unref();
  }

  /** Notes that a key has called an endpoint, or used a deprecated part of the schema; or further calls at once. */
  count(
    keyId: string,
    surface: UsedSurface,
    name: string,
    headers: ClientHeaders,
    calls = 1,
    firstAt = Date.now(),
    lastAt = firstAt,
  ): void {
    const names = this.#calls.get(keyId) ?? new Map<string, Calls>();
    this.#calls.set(keyId, names);
    const called = names.get(name) ?? new Calls({ keyId, surface, name });
    names.set(name, called);
    const tally = called.by(headers);
    tally.calls += calls;
    tally.firstAt = Math.min(tally.firstAt, firstAt);
    tally.lastAt = Math.max(tally.lastAt, lastAt);
  }

  /** Writes what was counted so far; resolves with whether all of it is stored. */
  write(): Promise<boolean> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Writes the rest, when no more requests are answered. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (!(await this.write())) this.parts.log.error('Calls that were counted since could not be stored');
  }

  async #writeAll(): Promise<boolean> {
    const { database, log } = this.parts;
    const counted = [...this.#calls.values()].flatMap((names) => [...names.values()]);
    const uses = counted.flatMap(({ of, tallies }) => [...tallies.values()].map((tally) => ({ ...of, ...tally })));
    this.#calls = new Map();
    for (let start = 0; start < uses.length; start += batch) {
      try {
        await database.perform(() => withoutListeners(addUses(database.provider, uses.slice(start, start + batch))));
      } catch (err) {
        log.warn({ err }, 'Calls that were counted could not be stored; they are kept until the next time');
        for (const { keyId, surface, name, userAgent, calls, firstAt, lastAt } of uses.slice(start))
          this.count(keyId, surface, name, { 'user-agent': userAgent }, calls, firstAt, lastAt);
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
  const known = new Map<string, Set<unknown>>();
  const userAgentsOf = (...of: unknown[]) => {
    const id = of.join(' ');
    const found = known.get(id) ?? new Set();
    known.set(id, found);
    return found;
  };
  for (const [keyId, surface, name, userAgent] of yield* rows(sql.userAgents, [JSON.stringify(keyIds)])) {
    if (userAgent !== '') userAgentsOf(keyId, surface, name).add(userAgent);
  }
  const values = uses.map(({ keyId, surface, name, userAgent, calls, firstAt, lastAt }) => {
    const userAgents = userAgentsOf(keyId, surface, name);
    if (userAgents.size < mostUserAgents && userAgent !== '') userAgents.add(userAgent);
    return [keyId, surface, name, userAgents.has(userAgent) ? userAgent : '', calls, firstAt, lastAt];
  });
  yield* rows(sql.add, [JSON.stringify(values)]);
  yield* rows(sql.forget, [most]);
}

const columns = '"keyId", "surface", "name", "userAgent", "calls", "firstAt", "lastAt"';
const key = '"keyId", "surface", "name", "userAgent"';

/** Uses of one row are added up. `least` and `greatest` are the functions of the smaller and the greater value. */
const onConflict = (least: string, greatest: string) => `
  GROUP BY 1, 2, 3, 4
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
    add: `INSERT INTO "ApiUse" (${columns})
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, sum(value ->> 4), min(value ->> 5), max(value ->> 6)
      FROM json_each(?) ${onConflict('min', 'max')}`,
    forget: forget('rowid', 'LIMIT -1', '?'),
  },
  postgresql: {
    lock: 'SELECT gateway_claim_uses()',
    userAgents: `SELECT ${key} FROM "ApiUse" WHERE "keyId" = ANY (ARRAY(SELECT json_array_elements_text($1::json)))`,
    add: `INSERT INTO "ApiUse" (${columns})
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3,
        sum((value ->> 4)::bigint), min((value ->> 5)::bigint), max((value ->> 6)::bigint)
      FROM json_array_elements($1::json) ${onConflict('least', 'greatest')}`,
    forget: forget('ctid', '', '$1'),
  },
};
