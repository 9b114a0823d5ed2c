/**
 * How every call walks, whatever surface it comes through: enter → read → work (admit → execute) → answer. An event of a stream
 * and the payload of a webhook have no request, and begin with the work.
 */
import type { Logger } from 'pino';
import type { Allowance, Arrival, Identity, RequestContext } from '../change/context.js';
import { type MaybePromise, recoverWith, whenResolved } from '../common/maybe-promise.js';
import type { Subscription } from '../graphql/operation/admission.js';
import type { RecordModel } from '../model/catalogue.js';
import type { ChangeAction } from '../model/change.js';
import { errors } from '../model/errors/errors.js';
import type { GatewayError } from '../model/errors/gateway-error.js';
import { limitOf } from '../query/table-views.js';
import { createAuthenticator, type Identify, type IdentifyToken, keepLastUse } from './access/authenticator.js';
import type { CurrentGrants } from './access/grants.js';
import type { Config } from './config/config.js';
import { type HttpAnswer, isFull, send } from './http/answer/send.js';
import { BoundDatabase, Deadline, watchEventLoop } from './http/deadline.js';
import type { Visit } from './http/visit.js';
import { type AcquireLease, addAllowance, createRateLimit, leasesOf } from './limits/rate-limit.js';

/** A form in which clients ask: `GraphqlSurface` (http/graphql.ts) or `Rest` (rest/rest.ts). */
export interface Surface<Asked> {
  /** What a request asks for, once its key is known. @throws why it is refused */
  read(visit: Visit, arrival: Arrival): MaybePromise<Asked>;
  /** Admits what is asked for and executes it. @throws why it is refused */
  answer(asked: Asked, context: RequestContext, visit: Visit): MaybePromise<HttpAnswer | AskedStream>;
  refuse(visit: Visit, error: unknown): void;
}

/** A stream that was admitted, and begins when the answer does. */
export interface AskedStream extends Omit<StreamRequest, 'arrival' | 'visit'> {
  streams: Streams;
}

/** What the gateway itself asks in the name of a key, which is checked elsewhere. */
export interface OwnRequest extends Omit<Arrival, 'keyId' | 'identify'> {
  identity: Identity;
}

export const arrivalOf = ({ identity, ...context }: OwnRequest): Arrival => ({
  ...context,
  keyId: identity.keyId,
  identify: () => identity,
});

/**
 * Executes a request that has been read, in the name of its key as it is now: only this makes a `RequestContext` of a
 * request. If the key ends while the request waits or is executed, it is stopped as if its time were over.
 *
 * @throws `timeout` when it takes too long, `busy` at once when the gateway has too many others: a client can retry after
 * `busy`, but gains nothing from an answer that comes too late; and as `Arrival.identify` says
 */
export type RunRequest = <Result>(
  arrival: Arrival,
  work: (context: RequestContext) => MaybePromise<Result>,
) => MaybePromise<Result>;

/** What the contexts of all requests of a gateway have in common, and who knows keys with roles and tokens. */
interface Common extends Pick<Arrival, 'database' | 'changes' | 'gateway' | 'limits' | 'publicUrl'> {
  grants: CurrentGrants;
  authenticate?: IdentifyToken | undefined;
}

export class Calls {
  readonly #authenticate: ReturnType<typeof createAuthenticator>;
  readonly #count: ReturnType<typeof createRateLimit> | undefined;
  #underWay = 0;

  /**
   * `lease` counts requests for all workers, where the database does not; `isLate` reports an overloaded process, whatever the
   * cause.
   */
  constructor(
    private readonly common: Common,
    private readonly config: Pick<Config, 'requestTimeout' | 'requestsAtOnce' | 'rateLimit'>,
    log: Pick<Logger, 'debug'>,
    lease?: AcquireLease,
    private readonly isLate = watchEventLoop(),
  ) {
    const { rateLimit } = config;
    const { database, grants, authenticate } = common;
    this.#authenticate = createAuthenticator(database, keepLastUse(database, log), grants, authenticate);
    if (rateLimit !== undefined) this.#count = createRateLimit(rateLimit, leasesOf(common.database, rateLimit, lease));
  }

  /** Answers a request. Its key is checked before its body is read, and again when that is there. */
  call<Asked>(surface: Surface<Asked>, visit: Visit): void {
    recoverWith<void>(
      () =>
        whenResolved(this.enter(visit), (arrival) =>
          whenResolved(surface.read(visit, arrival), (asked) =>
            whenResolved(
              this.work(arrival, (context) => surface.answer(asked, context, visit)),
              (answer) => answered(visit, arrival, answer),
            ),
          ),
        ),
      (error) => surface.refuse(visit, error),
    );
  }

  /**
   * Authenticates a request and counts it against the key's rate limit, once; adds the rate-limit headers to the answer.
   * Reads only the headers of the request. The time it takes counts against REQUEST_TIMEOUT: the arrival has what is left of
   * it. @throws what `createAuthenticator` throws, RATE_LIMITED, and `timeout`
   */
  enter(visit: Visit): MaybePromise<Arrival> {
    const identify = this.#authenticate(visit.request);
    const entering = whenResolved(identify(), ({ keyId }) => {
      visit.keyId = keyId;
      if (!this.#count) return this.#arrivalOf(visit, keyId, identify);
      return this.#count(keyId).then((allowance) => {
        addAllowance(visit.headers, allowance, keyId);
        return this.#arrivalOf(visit, keyId, identify, allowance);
      });
    });
    // A key that is cached takes no time.
    return entering instanceof Promise ? this.#enterInTime(entering) : entering;
  }

  /** Each member by its name: to spread an object of so many takes a fifth of the time of a short read. */
  #arrivalOf(visit: Visit, keyId: string, identify: Identify, allowance?: Allowance): Arrival {
    const { database, changes, gateway, limits, publicUrl } = this.common;
    const { requestId, log, observation } = visit;
    const whenAbandoned = (stop: () => void) => visit.whenAbandoned(stop);
    return {
      database,
      changes,
      gateway,
      keyId,
      identify,
      allowance,
      limits,
      publicUrl,
      requestId,
      log,
      observation,
      whenAbandoned,
    };
  }

  /** Stops waiting when the time is over. A look-up that other requests share goes on. */
  async #enterInTime(entering: Promise<Arrival>): Promise<Arrival> {
    const { requestTimeout } = this.config;
    const startedAt = performance.now();
    const deadline = new Deadline(undefined);
    deadline.begin(requestTimeout);
    try {
      const arrival = await deadline.resultInTime(entering);
      return { ...arrival, timeLeft: Math.max(0, requestTimeout - (performance.now() - startedAt)) };
    } finally {
      deadline.lift();
    }
  }

  readonly work: RunRequest = (arrival, work) => {
    const { requestTimeout, requestsAtOnce } = this.config;
    if (this.#underWay >= requestsAtOnce || this.isLate() || isFull()) throw errors.unavailable('busy');
    const { identify } = arrival;
    const deadline = new Deadline(arrival.keyId);
    const done = whenResolved(identify(), (identity) => {
      const { changes, gateway, allowance, limits, publicUrl, requestId, log, observation } = arrival;
      if (identity.rights) deadline.limit = limitOf(identity.rights, arrival.database.provider);
      const database = new BoundDatabase(arrival.database, deadline);
      const written = { rows: 0, characters: 0 };
      return work({
        database,
        changes,
        gateway,
        identity,
        allowance,
        limits,
        publicUrl,
        requestId,
        log,
        observation,
        deadline,
        written,
      });
    });
    if (!(done instanceof Promise)) return done;
    deadline.begin(arrival.timeLeft ?? requestTimeout, identify);
    arrival.whenAbandoned?.(() => deadline.pass());
    this.#underWay++;
    // Counted until the work ends, even after the client has been answered `timeout`.
    const end = () => {
      this.#underWay--;
      deadline.lift();
    };
    done.then(end, end);
    return deadline.resultInTime(done);
  };
}

function answered(visit: Visit, arrival: Arrival, answer: HttpAnswer | AskedStream): MaybePromise<void> {
  if ('status' in answer) return send(visit, answer);
  visit.isRead = true;
  const { streams, ...asked } = answer;
  return streams.subscribe({ ...asked, arrival, visit });
}

/**
 * Makes reads from standbys include what a client has seen. The answer to a mutation has the position of the primary in
 * the header `Read-After`; a request that sends it back reads nothing older, whichever gateway answers it. Requests
 * with the same key to the same gateway need no header. Whatever the outcome of a mutation is, even a refusal or a stored
 * answer, it shows the present state of a record, so later reads must see nothing older.
 */
export function withStandbys<Result>(
  context: RequestContext,
  visit: Visit,
  work: () => MaybePromise<Result>,
): MaybePromise<Result> {
  const { database, identity } = context;
  const { standbys } = database;
  if (!standbys) return work();
  if (!visit.isRead) {
    return (async () => work())().finally(async () => {
      visit.headers.push('Read-After', await standbys.written(identity.keyId));
    });
  }
  const { read: primary } = database;
  if (!primary) return work();
  const after = visit.request.headers['read-after'];
  context.standby = standbys.readerFor(identity.keyId, after === undefined ? undefined : String(after), primary);
  return work();
}

// Streams of changes, as each protocol asks for them and sends them; a feature follows the changes.

export type StreamNotice = 'OPENED' | 'TOO_OLD' | 'CLOSING';

/** An event of a stream, as the fields of the type `RecordEvent` show it, without the record itself. */
export interface RecordEvent {
  /** Continuing after it misses nothing and repeats nothing that was delivered up to it. */
  position: number;
  /** Undefined for a change. */
  notice?: StreamNotice;
  action?: ChangeAction;
  type?: RecordModel;
  recordId?: string;
  version?: number;
  fields: readonly string[];
  deletedId?: string;
  leftId?: string;
}

/** How the events of a protocol look on the wire. */
export interface StreamFormat {
  readonly name: string;
  readonly type: string;
  /** What stands before the first event, whatever that is. */
  readonly opening: Buffer;
  /** `text` makes the JSON of a GraphQL result with the event. */
  event(event: RecordEvent, text: () => string): Buffer;
  /** The end of a stream; `refusal` is the reason if it must not be begun again. */
  end(requestId: string, refusal?: GatewayError): Buffer;
  heartbeat(position: number): Buffer;
}

/** What a client asks for that wants a stream, whatever its protocol. */
export interface StreamRequest {
  subscription: Subscription;
  arrival: Arrival;
  /** That with which the subscription was admitted just now. */
  identity: Identity;
  format: StreamFormat;
  /** Where the client has come to; undefined to begin with the next change. */
  after: number | undefined;
  /** Its answer begins once nothing can be refused any more. */
  visit: Pick<Visit, 'response' | 'headers'>;
  /** Asked every few seconds while the stream is open; what it returns ends it. */
  refusal?: () => GatewayError | undefined;
}

/** The feature that follows changes. */
export interface Streams {
  readonly size: number;
  /**
   * Begins a stream. @throws FORBIDDEN; BAD_USER_INPUT for a position that was never given; RATE_LIMITED and UNAVAILABLE
   * for one stream too many
   */
  subscribe(request: StreamRequest): Promise<void>;
  /** @throws what `subscribe` would, as far as it is known before a stream begins */
  requireAllowed(subscription: Subscription, identity: Identity): void;
  /** Ends every stream, each with its position, and refuses others: the process stops. */
  close(): void;
}
