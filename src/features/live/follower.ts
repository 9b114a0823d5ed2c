/**
 * Follows the journal for subscribers that get the same events: reads each changed record once, and hands the same bytes
 * to all of them.
 */
import type { Arrival, Identity } from '../../change/context.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import type { EventStream } from './client-end.js';
import { byteTurns, type ChangedRecord } from './read-record.js';
import type { Entries, RecentEntries } from './recent-entries.js';
import type { EventBatch, StreamEvents } from './stream-events.js';

export interface Subscriber {
  receiver: EventStream;
  follower: Follower;
  /** It gets nothing at or below this position. */
  start: number;
  identity: Identity;
  /** Asks again who it is. */
  identify: Arrival['identify'];
  requestId: string;
  /** Decides in which part of the interval it gets its heartbeat. */
  beat: number;
  /** Why its stream may not go on, if so. */
  refusal: (() => GatewayError | undefined) | undefined;
  /** Gives its place to others. */
  leave(): void;
}

export interface FollowerParts {
  /** Equal for followers that give their members the same events. */
  key: string;
  events: StreamEvents;
  position: number;
  entries: RecentEntries;
  /** Ends the stream of a member, at its position. */
  close(member: Subscriber): void;
  /** The same for one whose key or token has expired, which gets nothing any more. */
  expire(member: Subscriber): void;
  /** Called after each batch. */
  onProgress(): void;
}

/** Entries that are handled before slow members are waited for. */
const batchSize = 200;

/** The most entries by which a follower may be behind and still take in somebody who is not. */
const nearby = 100;

export class Follower {
  readonly members = new Set<Subscriber>();
  readonly key: string;
  readonly events: StreamEvents;
  /** Everything up to here has been delivered, and nothing behind it; raised in the same turn as the delivery ends. */
  #position: number;
  #isRunning = false;
  #isWaiting = false;

  constructor(private readonly parts: FollowerParts) {
    this.key = parts.key;
    this.events = parts.events;
    this.#position = parts.position;
  }

  get position(): number {
    return this.#position;
  }

  /** Whether a member that has everything up to `start` can join, and need not wait long for what follows. */
  takes(start: number): boolean {
    if (this.members.size === 0 || this.#isWaiting || this.#position > start) return false;
    return this.parts.entries.between(this.#position, start) <= nearby;
  }

  /** Up to where a member has everything. */
  positionOf({ start }: Subscriber): number {
    return Math.max(start, this.#position);
  }

  /** Delivers what is new, if anything. */
  wake(): void {
    if (this.#isRunning) return;
    const next = this.parts.entries.after(this.#position);
    if (next && this.events.changesIn(next).length === 0) {
      this.#position = Math.max(this.#position, next.end);
      return;
    }
    this.#isRunning = true;
    this.#run().finally(() => {
      this.#isRunning = false;
      // Entries may have come in the meantime.
      if (this.members.size > 0 && this.#position < this.parts.entries.end) this.wake();
    });
  }

  async #run(): Promise<void> {
    try {
      while (this.members.size > 0 && this.#position < this.parts.entries.end) await this.#step();
    } catch {
      // What could not be read is not skipped: the members begin again where they are.
      for (const member of [...this.members]) this.parts.close(member);
    }
  }

  async #step(): Promise<void> {
    const { entries } = this.parts;
    const next = entries.after(this.#position, batchSize) ?? (await this.#fromJournal());
    for await (const { position, frame } of framesOf(this.events, this.events.changesIn(next))) {
      if (this.members.size === 0) return;
      if (frame) {
        await this.#deliver(position, frame);
        await this.#waitForOnly();
      } else this.#position = Math.max(this.#position, position);
    }
    this.#position = Math.max(this.#position, next.end);
    this.parts.onProgress();
  }

  /** Waits for a slow member that is the only one, as while catching up. A slow one among several is closed. */
  async #waitForOnly(): Promise<void> {
    const [only] = this.members;
    if (!only || this.members.size > 1) return;
    this.#isWaiting = true;
    await only.receiver.drained();
    this.#isWaiting = false;
  }

  async #fromJournal(): Promise<Entries> {
    const read = await this.parts.entries.fromJournal(this.#position, { most: batchSize, models: this.events.models });
    if (read.isTooOld) await this.#deliver(read.end, this.events.notice(read.end, 'TOO_OLD'));
    return read;
  }

  async #deliver(position: number, frame: Buffer): Promise<void> {
    for (const member of this.members) {
      if (position <= member.start) continue;
      await byteTurns.take(frame.length);
      if (!this.members.has(member)) continue;
      const { expiresAt } = member.identity;
      if (expiresAt && expiresAt.getTime() <= Date.now()) this.parts.expire(member);
      else if (member.receiver.send(frame)) member.start = position;
      else this.parts.close(member);
    }
    // In the same turn as the last delivery: a member that joined in between would miss this change.
    this.#position = Math.max(this.#position, position);
  }
}

// The frames of a batch of changes, in their order.

/** Changes whose records are read ahead while frames are small, and the most bytes of a small one. */
const mostAhead = 8;
const smallFrame = 16 * 1024;
/** Bytes of frames that wait for their turn, of all streams, from which none reads ahead. */
const mostWaiting = 4 * 1024 * 1024;
let waiting = 0;

/**
 * All changes were made before, so a record is read once for all its changes in the batch. Large frames are made one by
 * one and are not kept, because many streams may do this at the same time.
 */
export async function* framesOf(
  events: Pick<StreamEvents, 'change'>,
  changes: readonly ChangedRecord[],
): AsyncGenerator<{ position: number; frame: Buffer | undefined }> {
  const batch: EventBatch = { changes, known: new Map(), seen: undefined, isOver: false };
  const begun: Promise<Buffer | undefined>[] = [];
  let ahead = 0;
  let held = 0;
  const hold = (bytes = 0) => {
    held += bytes;
    waiting += bytes;
  };
  const make = async (change: ChangedRecord) => {
    const frame = await events.change(change, batch);
    if (!batch.isOver) hold(frame?.length);
    return frame;
  };
  try {
    for (const [place, { position }] of changes.entries()) {
      const next = place + 1 + (waiting < mostWaiting ? ahead : 0);
      for (const change of changes.slice(begun.length, next)) {
        const frame = make(change);
        frame.catch(() => undefined); // thrown below, unless the stream ends before
        begun.push(frame);
      }
      const frame = await begun[place];
      delete begun[place];
      hold(-(frame?.length ?? 0));
      const isSmall = frame === undefined || frame.length <= smallFrame;
      ahead = isSmall ? mostAhead : 0;
      if (!isSmall) batch.known.clear();
      yield { position, frame };
    }
  } finally {
    batch.isOver = true;
    hold(-held);
  }
}

// The followers of all kinds of streams. Subscribers of one kind share a follower if they are at the same position.

export class Followers {
  readonly #byKey = new Map<string, Set<Follower>>();

  /** A follower for a subscriber that has everything up to `position`: an existing one, or one that `make` creates. */
  of(key: string, position: number, make: (onProgress: () => void) => Follower): Follower {
    const same = this.#byKey.get(key) ?? new Set();
    for (const follower of same) if (follower.takes(position)) return follower;
    const follower = make(() => this.#join(follower, same));
    same.add(follower);
    this.#byKey.set(key, same);
    return follower;
  }

  wake(): void {
    for (const same of this.#byKey.values()) for (const follower of same) follower.wake();
  }

  /** Called when the last member has left. */
  forget(follower: Follower): void {
    const same = this.#byKey.get(follower.key);
    same?.delete(follower);
    if (same?.size === 0) this.#byKey.delete(follower.key);
  }

  /** Once a follower has caught up with another of the same kind, they go on as one. */
  #join(follower: Follower, same: ReadonlySet<Follower>): void {
    for (const other of same) {
      if (other === follower || !other.takes(follower.position)) continue;
      for (const member of follower.members) {
        member.start = follower.positionOf(member);
        member.follower = other;
        other.members.add(member);
      }
      follower.members.clear();
      this.forget(follower);
      other.wake();
      return;
    }
  }
}
