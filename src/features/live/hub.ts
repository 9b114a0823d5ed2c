/** All streams of this process: who follows what, and when a stream ends. */
import type { GraphQLSchema } from 'graphql';
import type { Journal } from '../../change/journal/journal.js';
import { RequestLog, type WrittenLog } from '../../common/log.js';
import type { Execute } from '../../gateway/execution/executor.js';
import { errors } from '../../model/errors/errors.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import type { Resource } from '../../model/resource.js';
import { eventForms } from './event-form.js';
import { Follower, type Subscriber } from './follower.js';
import { Followers } from './followers.js';
import type { Places } from './places.js';
import { createStreamReads, type ReadForStream, type Work } from './read-record.js';
import { RecentEntries } from './recent-entries.js';
import { StreamEvents } from './stream-events.js';
import { streamKey } from './stream-key.js';
import { createStreamOpening, type OpenStream } from './stream-opening.js';
import type { StreamRequest } from './stream-request.js';
import { requireStreamScopes, watchable } from './stream-scopes.js';
import { requireSmall } from './stream-size.js';
import { type StreamUpkeep, type StreamUpkeepParts, upkeepOf } from './stream-upkeep.js';

export interface HubParts extends Omit<StreamUpkeepParts, 'close' | 'log'> {
  log: WrittenLog;
  schema: GraphQLSchema;
  /** Without it, or where it is not kept, no stream begins. */
  journal: Journal | undefined;
  execute: Execute;
  work: Work;
  places: Places;
}

const noJournal = 'There are no streams: this gateway keeps no journal of changes (JOURNAL=false).';

export class Hub {
  readonly #parts: HubParts;
  readonly #resources: readonly Resource[];
  readonly #entries: RecentEntries;
  readonly #read: ReadForStream;
  readonly #upkeep: StreamUpkeep;
  readonly #open: OpenStream;
  readonly #followers = new Followers();
  readonly #members = new Set<Subscriber>();
  #begun = 0;
  #isClosed = false;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#resources = watchable(parts.schema);
    this.#read = createStreamReads(parts.execute, parts.work);
    this.#entries = new RecentEntries(parts.log, () => this.#followers.wake());
    this.#upkeep = upkeepOf(this.#members, { ...parts, close: (member, refusal) => this.#close(member, refusal) });
    const endAll = () => {
      this.#upkeep.stop();
      this.#entries.close();
    };
    this.#open = createStreamOpening({ ...parts, entries: this.#entries, endAll });
  }

  /**
   * Begins a stream. @throws FORBIDDEN; BAD_USER_INPUT for a position that was never given; RATE_LIMITED and UNAVAILABLE
   * for one stream too many
   */
  async subscribe({ subscription, arrival, identity, format, after, begin, refusal }: StreamRequest): Promise<void> {
    requireStreamScopes(this.#resources, subscription, identity);
    const journal = this.requireJournal();
    if (this.#isClosed) throw errors.unavailable('busy');
    requireSmall(subscription);
    const { requestId } = arrival;
    const { position, notice, leave } = await this.#open(arrival, journal, after);
    try {
      if (this.#isClosed) throw errors.unavailable('busy');
      const follower = this.#followerOf({ subscription, arrival, identity, format }, position);
      const receiver = begin();
      const beat = this.#begun++;
      const member: Subscriber = { receiver, follower, start: position, identity, requestId, beat, refusal, leave };
      this.#members.add(member);
      follower.members.add(member);
      receiver.whenGone(() => this.#remove(member));
      receiver.open(follower.events.notice(position, notice));
      this.#upkeep.start();
      follower.wake();
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** @throws OPERATION_RESOLUTION_FAILURE where streams have nothing to follow */
  requireJournal(): Journal {
    const { journal } = this.#parts;
    if (!journal?.isKept) throw errors.operationUnknown(noJournal);
    return journal;
  }

  /** The streams that are open. */
  get size(): number {
    return this.#members.size;
  }

  /** Ends every stream, each with its position, and refuses others: the process stops. */
  close(): void {
    this.#isClosed = true;
    for (const member of [...this.#members]) this.#close(member);
  }

  #followerOf(
    { subscription, arrival, identity, format }: Omit<StreamRequest, 'after' | 'begin'>,
    position: number,
  ): Follower {
    const key = `${format.name} ${streamKey(subscription, identity)}`;
    return this.#followers.of(key, position, (onProgress) => {
      const forms = eventForms(this.#parts.schema, subscription);
      const { database, changes, requestId } = arrival;
      // Not the log of the first subscriber, which may leave before the others.
      const log = new RequestLog(this.#parts.log, requestId);
      const context = { database, changes, identity, requestId, log };
      const events = new StreamEvents({ format, forms, subscription, context, read: this.#read });
      return new Follower({
        key,
        events,
        position,
        entries: this.#entries,
        close: (member) => this.#close(member),
        onProgress,
      });
    });
  }

  #close(member: Subscriber, refusal?: GatewayError): void {
    const { follower, receiver, requestId } = member;
    if (!this.#members.has(member)) return;
    this.#remove(member);
    const frames = refusal ? [] : [follower.events.notice(follower.positionOf(member), 'CLOSING')];
    receiver.end(Buffer.concat([...frames, follower.events.format.end(requestId, refusal)]));
  }

  #remove(member: Subscriber): void {
    if (!this.#members.delete(member)) return;
    member.follower.members.delete(member);
    if (member.follower.members.size === 0) this.#followers.forget(member.follower);
    member.leave();
  }
}
