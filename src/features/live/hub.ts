/** All streams of this process: who follows what, and when a stream ends. */

import type { Identity } from '../../change/context.js';
import type { Journal } from '../../change/journal/journal.js';
import { once } from '../../common/kept.js';
import { recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { RequestLog } from '../../common/output.js';
import { repeat } from '../../common/timing.js';
import { type KeyIdentity, validKeys } from '../../gateway/access/authenticator.js';
import type { StreamNotice, StreamRequest, Streams } from '../../gateway/call.js';
import type { JoinedGateway, ServedFeature } from '../../gateway/feature.js';
import type { Subscription } from '../../graphql/operation/admission.js';
import { watchable } from '../../graphql/operation/stream-root.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { Resource } from '../../model/resource.js';
import { isPerson } from '../../model/scopes.js';
import { EventStream } from './client-end.js';
import { eventForms } from './event-form.js';
import { eventsEndpoint } from './events-endpoint.js';
import { Follower, Followers, type Subscriber } from './follower.js';
import { createStreamReads, type ReadForStream } from './read-record.js';
import { RecentEntries } from './recent-entries.js';
import { addSubscriptions } from './schema/subscriptions.js';
import { requireStreamScopes, StreamEvents, streamKey } from './stream-events.js';

type HubParts = Pick<
  JoinedGateway,
  'log' | 'schema' | 'journal' | 'execute' | 'work' | 'places' | 'database' | 'grants' | 'heartbeatEvery'
>;

/** Milliseconds between two heartbeats of a stream, and the parts in which streams take turns. */
const usualHeartbeat = 15_000;
const parts = 15;
/** Milliseconds between two checks of the keys: a stream ends within twice this time after its key. */
const keysLookedAtEvery = 2_000;

const noJournal = 'There are no streams: this gateway keeps no journal of changes (JOURNAL=false).';

export class Hub implements Streams {
  readonly #resources: readonly Resource[];
  /** Those of the journal since the first of the streams began. */
  #entries: (() => Promise<RecentEntries>) | undefined;
  readonly #read: ReadForStream;
  readonly #followers = new Followers();
  readonly #members = new Set<Subscriber>();
  #begun = 0;
  /** The part of the streams that had their heartbeat last. */
  #turn = 0;
  #isClosed = false;
  /** Ends what maintains the streams, if there are any. */
  #upkeep: AbortController | undefined;

  constructor(private readonly parts: HubParts) {
    this.#resources = watchable(parts.schema);
    this.#read = createStreamReads(parts.execute, parts.work);
  }

  async subscribe({ subscription, arrival, identity, format, after, visit, refusal }: StreamRequest): Promise<void> {
    const journal = this.requireAllowed(subscription, identity);
    if (this.#isClosed) throw errors.unavailable('busy');
    requireSmall(subscription);
    const { requestId } = arrival;
    const { position, notice, entries, leave } = await this.#openInTime(arrival, journal, after);
    try {
      if (this.#isClosed) throw errors.unavailable('busy');
      const follower = this.#followerOf({ subscription, arrival, identity, format }, position, entries);
      const receiver = new EventStream({ visit, format });
      const beat = this.#begun++;
      const asker = { identity, identify: arrival.identify, requestId, refusal };
      const member: Subscriber = { receiver, follower, start: position, beat, leave, ...asker };
      this.#members.add(member);
      follower.members.add(member);
      receiver.whenGone(() => this.#remove(member));
      receiver.open(Buffer.concat([format.opening, follower.events.notice(position, notice)]));
      this.#maintain();
      follower.wake();
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Returns what streams follow. @throws FORBIDDEN, and OPERATION_RESOLUTION_FAILURE where there is nothing to follow */
  requireAllowed(subscription: Subscription, identity: Identity): Journal {
    requireStreamScopes(this.#resources, subscription, identity);
    const { journal } = this.parts;
    if (!journal?.isKept) throw errors.operationUnknown(noJournal);
    return journal;
  }

  get size(): number {
    return this.#members.size;
  }

  close(): void {
    this.#isClosed = true;
    for (const member of [...this.#members]) this.#close(member);
  }

  #followerOf(
    { subscription, arrival, identity, format }: Omit<StreamRequest, 'after' | 'visit'>,
    position: number,
    entries: RecentEntries,
  ): Follower {
    const key = `${format.name} ${streamKey(subscription, identity)}`;
    return this.#followers.of(key, position, (onProgress) => {
      const forms = eventForms(this.parts.schema, subscription);
      const { database, changes, requestId } = arrival;
      // Not the log of the first subscriber, which may leave before the others.
      const log = new RequestLog(this.parts.log, requestId);
      const context = { database, changes, identity, requestId, log };
      const events = new StreamEvents({ format, forms, subscription, context, read: this.#read });
      return new Follower({
        key,
        events,
        position,
        entries,
        close: (member) => this.#close(member),
        expire: (member) => {
          this.#askAgain(member);
          // Where why it has expired is not known at once, as that of a token is.
          this.#close(member, errors.apiKeyInvalid());
        },
        onProgress,
      });
    });
  }

  /** The same in the time that a request has. @throws TIMEOUT */
  async #openInTime(arrival: StreamRequest['arrival'], journal: Journal, after: number | undefined) {
    const opening = this.#open(arrival.keyId, journal, after);
    try {
      return await this.parts.work(arrival, () => opening);
    } catch (error) {
      // What is opened too late is given back.
      opening.then(
        ({ leave }) => leave(),
        () => undefined,
      );
      throw error;
    }
  }

  /**
   * Takes a place, and finds where the stream begins: behind `after`, or behind the last entry. @throws BAD_USER_INPUT for a
   * position that was never given; RATE_LIMITED and UNAVAILABLE for one stream too many. `leave` gives the place back.
   */
  async #open(keyId: string, journal: Journal, after: number | undefined) {
    const { places, log } = this.parts;
    const giveBack = await places.take(keyId);
    this.#entries ??= once(() => RecentEntries.follow(journal, log, () => this.#followers.wake()));
    const following = this.#entries;
    let entries: RecentEntries | undefined;
    const leave = () => {
      giveBack();
      if (places.taken > 0) return;
      this.#upkeep?.abort();
      this.#upkeep = undefined;
      this.#entries = undefined;
      entries?.close();
    };
    try {
      entries = await following();
      const { last, isHeld } = await journal.continuationOf(after ?? 0);
      const end = Math.max(last, entries.end);
      const isKept = after === undefined || isHeld;
      const notice: StreamNotice = isKept ? 'OPENED' : 'TOO_OLD';
      return { position: isKept ? (after ?? end) : end, notice, entries, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Sends heartbeats, and ends streams that may not go on, until the last one has left. */
  #maintain(): void {
    if (this.#upkeep) return;
    const { heartbeatEvery = usualHeartbeat, log } = this.parts;
    this.#upkeep = new AbortController();
    const { signal } = this.#upkeep;
    const each = (every: number, work: () => Promise<void>) =>
      repeat(work, { first: every, every, signal }, (err) =>
        // While the database does not answer, streams stay: no change can reach them either.
        log.warn({ err }, 'The keys of streams could not be looked up; it is tried again'),
      );
    void each(heartbeatEvery / parts, async () => this.#beat());
    void each(keysLookedAtEvery, () => this.#checkKeys());
  }

  /** A part of the streams gets its heartbeat, so that thousands do not get it in one turn of the event loop. */
  #beat(): void {
    this.#turn = (this.#turn + 1) % parts;
    for (const member of [...this.#members]) {
      const { follower, receiver, beat } = member;
      const refusal = member.refusal?.();
      if (refusal) this.#close(member, refusal);
      else if (beat % parts === this.#turn) {
        const heartbeat = follower.events.format.heartbeat(follower.positionOf(member));
        if (!receiver.send(heartbeat)) this.#close(member);
      }
    }
  }

  /** Keys are looked up together; people are asked for stream by stream, because a look into a cache says it. */
  async #checkKeys(): Promise<void> {
    const byKey: Subscriber[] = [];
    for (const member of [...this.#members])
      if (isPerson(member.identity.keyId)) this.#askAgain(member);
      else byKey.push(member);
    const { database, grants } = this.parts;
    const keys = await validKeys(database, [...new Set(byKey.map(({ identity }) => identity.keyId))], grants);
    for (const member of byKey) {
      const now = keys.get(member.identity.keyId);
      // The key of the environment keeps its id when it gets another secret.
      if (now && member.identity.seal.isOf(now.hash)) this.#compareRights(member, now);
      else this.#close(member, errors.apiKeyInvalid());
    }
  }

  /** Ends the stream of somebody who does not count any more; one whose rights are others now begins anew. */
  #askAgain(member: Subscriber): void {
    recoverWith<void>(
      () => whenResolved(member.identify(), (now) => this.#compareRights(member, now)),
      (error) => {
        if (error instanceof GatewayError && error.code === 'UNAUTHENTICATED') this.#close(member, error);
      },
    );
  }

  /** No change tells which records somebody with other rights sees no more, or sees now: so what is shown is to be read again. */
  #compareRights(member: Subscriber, now: KeyIdentity): void {
    const { follower, receiver, identity } = member;
    if (now.rights?.digest === identity.rights?.digest && now.scopes.join() === identity.scopes.join()) return;
    if (this.#members.has(member)) receiver.send(follower.events.notice(follower.positionOf(member), 'TOO_OLD'));
    this.#close(member);
  }

  #close(member: Subscriber, refusal?: GatewayError): void {
    const { follower, receiver, requestId, identity } = member;
    if (!this.#members.has(member)) return;
    this.#remove(member);
    // Who renews a token goes on from the position.
    const goesOn = !refusal || isPerson(identity.keyId);
    const frames = goesOn ? [follower.events.notice(follower.positionOf(member), 'CLOSING')] : [];
    receiver.end(Buffer.concat([...frames, follower.events.format.end(requestId, refusal)]));
  }

  #remove(member: Subscriber): void {
    if (!this.#members.delete(member)) return;
    member.follower.members.delete(member);
    if (member.follower.members.size === 0) this.#followers.forget(member.follower);
    member.leave();
  }
}

// A stream keeps its operation and variables for as long as it lasts, so they have to be small.

/** Characters of the operation and of its variables as JSON. */
const largestStream = 20_000;

/** @throws BAD_USER_INPUT */
function requireSmall({ document, root }: Subscription): void {
  const size = (document.loc?.source.body.length ?? 0) + JSON.stringify(root.variables).length;
  if (size <= largestStream) return;
  const message = `may be ${largestStream} characters long at most in a stream, with the operation; these are ${size}`;
  throw errors.invalidAt(['variables'], message);
}

export const servedLive: ServedFeature = {
  schema: addSubscriptions,
  endpoints: eventsEndpoint,
  join: (gateway) => ({ streams: new Hub(gateway) }),
};
