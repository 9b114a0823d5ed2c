import type { MaybePromise } from '../common/maybe-promise.js';
import type { WorkLog } from '../common/output.js';
import type { Seal } from '../common/seal.js';
import type { Caller, LimitStatement, Read } from '../database/direct-access.js';
import type { Provider } from '../database/migrations/migration-history.js';
import type { Database, SeenDatabase } from '../database/open-database.js';
import type { Author, Observer, Rules } from '../model/change.js';
import type { Problem } from '../model/errors/problem.js';
import type { Holder } from '../model/scopes.js';
import type { Rights } from '../query/rights.js';
import type { Observation } from './observation.js';
import type { PlanWriter } from './plan.js';

/** The authenticated caller: an API key without its secret, or a person. */
export interface Identity extends Holder {
  /** Of a person `<issuer>|<subject>`. */
  keyId: string;
  name: string;
  /** Its roles; undefined for a key without any. */
  roles?: readonly string[] | undefined;
  /** What its roles allow with records; undefined for a key without roles, which its scopes alone limit. */
  rights?: Rights | undefined;
  /** From then on the key is refused; undefined if it does not expire. */
  expiresAt?: Date | undefined;
  /** Encrypts stored answers so that only this key can read them. */
  seal: Seal;
}

/** What is left of a key's requests in the current minute. */
export interface Allowance {
  /** Whether this request is within the limit. */
  isAllowed: boolean;
  /** Requests per minute. */
  limit: number;
  remaining: number;
  /** Seconds until the next minute, at least 1. */
  reset: number;
}

/** The limits of a key besides that of its requests. */
export interface KeyLimits {
  /** The highest cost of one operation. */
  cost: number;
  /** Streams of one key at the same time. */
  streams: number;
  /** How many streams the key has open now, in all workers. */
  openStreams(keyId: string): MaybePromise<number>;
}

/** What each operation of a request gets, in GraphQL and REST. */
export interface RequestContext {
  database: SeenDatabase;
  /** Reads records from a hot standby that has all that the request has to see; for queries only, where there are standbys. */
  standby?: Read | undefined;
  changes: ChangeHandlers;
  /**
   * Stands for the gateway that has got the request: features keep by it what they need to answer. Undefined where the
   * gateway itself asks.
   */
  gateway?: object | undefined;
  /** The setting PUBLIC_URL. */
  publicUrl?: string | undefined;
  identity: Identity;
  /** What is left of the key's requests in this minute; undefined where they are not limited. */
  allowance?: Allowance | undefined;
  /** Undefined where the gateway itself asks, and not the holder of a key. */
  limits?: KeyLimits | undefined;
  /** From `X-Request-Id` or generated; appears in every log line and error of the request. */
  requestId: string;
  /** The name of the mutation being executed, for the journal; at most 100 characters. */
  operationName?: string | undefined;
  /** How many records and lines the request has written, and characters of their texts; counted by `change/`. */
  written?: { rows: number; characters: number };
  /** The problems of a mutation's variables. Each field of the mutation answers with them, and does nothing. */
  problems?: readonly Problem[];
  log: WorkLog;
  /** Collects what the request's log line reports. */
  observation?: Observation | undefined;
  /** The largest answer in bytes, if smaller than ANSWER_LIMIT. */
  answerLimit?: number;
  /**
   * Counts the values of the answer as resolvers produce them, and their errors; `isRoot` is true for fields of
   * `Mutation`.
   */
  meter?: { value(isRoot: boolean): void; error(isRoot: boolean): void; refuse(error: Error): Error };
  /** The signal is aborted when the request has been answered with `timeout`, so that the remaining work can stop. */
  deadline?: Caller & { readonly signal: AbortSignal };
}

export type Written = NonNullable<RequestContext['written']>;

/** What all writes of a request share: the provider, the rules and observers, and the author. */
export interface ChangeContext {
  provider: Provider;
  handlers: ChangeHandlers;
  by: Author;
  /** How many records and lines the request has written, and characters of their texts. */
  written: Written;
  /** What the caller may do with records, and see of them; undefined for one whom its scopes alone limit. */
  limits?: { rights: Rights; limit: LimitStatement } | undefined;
}

export type WriteRequestContext = Pick<
  RequestContext,
  'database' | 'changes' | 'identity' | 'requestId' | 'operationName' | 'written'
>;

/**
 * A request that has arrived with a valid key. The key may end before the body is there, and while the request waits, so it
 * has no identity: that is asked for where it is used, by `RunRequest`, and makes it a `RequestContext`.
 */
export interface Arrival extends Omit<RequestContext, 'identity' | 'database'> {
  database: Database;
  /** The key with which it has arrived. */
  keyId: string;
  /** The identity at this moment. @throws as `Identify` says */
  identify(): MaybePromise<Identity>;
  /** Calls `stop` if the client disconnects during a read. */
  whenAbandoned?: ((stop: () => void) => void) | undefined;
  /** Milliseconds left of REQUEST_TIMEOUT, where some of it has gone by before the work began. */
  timeLeft?: number | undefined;
}

/** What happens with each change of a gateway. */
export interface ChangeHandlers {
  /** By record type. */
  rules: Readonly<Partial<Record<string, Rules>>>;
  observers: readonly Observer[];
  /** What features write with each plan. */
  writers: readonly PlanWriter[];
  /** Whether documents that are submitted or cancelled keep their fields and lines (LOCK_SUBMITTED). */
  locksSubmitted: boolean;
  /**
   * Whether every change is written into the journal; `if on` of a process that does not ask for it, which writes into
   * it all the same while another process keeps it.
   */
  journal: boolean | 'if on';
}
