/**
 * Follows the journal for subscribers that get the same events: reads each changed record once, and hands the same bytes
 * to all of them.
 */
import type { Identity } from '../../change/context.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import { byteTurns } from './byte-turns.js';
import type { Entries } from './entry.js';
import { framesOf } from './frames.js';
import type { Receiver } from './receiver.js';
import type { RecentEntries } from './recent-entries.js';
import type { StreamEvents } from './stream-events.js';

/** One subscriber. */
export interface Subscriber {
  receiver: Receiver;
  follower: Follower;
  /** It gets nothing at or below this position. */
  start: number;
  identity: Pick<Identity, 'keyId' | 'seal'>;
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
  /** Where it begins. */
  position: number;
  entries: RecentEntries;
  /** Ends the stream of a member, at its position. */
  close(member: Subscriber): void;
  /** Called after each batch. */
  onProgress(): void;
}

/** Entries that are handled before slow members are waited for. */
const batchSize = 200;

export class Follower {
  readonly members = new Set<Subscriber>();
  readonly key: string;
  readonly events: StreamEvents;
  readonly #parts: FollowerParts;
  /** Everything up to here has been delivered, and nothing behind it; raised in the same turn as the delivery ends. */
  #position: number;
  #isRunning = false;
  #isWaiting = false;

  constructor(parts: FollowerParts) {
    this.key = parts.key;
    this.events = parts.events;
    this.#parts = parts;
    this.#position = parts.position;
  }

  get position(): number {
    return this.#position;
  }

  /** Whether a member that has everything up to `start` can join, and need not wait long for what follows. */
  takes(start: number, nearby: number): boolean {
    if (this.members.size === 0 || this.#isWaiting || this.#position > start) return false;
    return this.#parts.entries.between(this.#position, start) <= nearby;
  }

  /** Up to where a member has everything. */
  positionOf({ start }: Subscriber): number {
    return Math.max(start, this.#position);
  }

  /** Delivers what is new, if anything. */
  wake(): void {
    if (this.#isRunning) return;
    const next = this.#parts.entries.after(this.#position);
    if (next && this.events.changesIn(next).length === 0) {
      this.#position = Math.max(this.#position, next.end);
      return;
    }
    this.#isRunning = true;
    this.#run().finally(() => {
      this.#isRunning = false;
      // Entries may have come in the meantime.
      if (this.members.size > 0 && this.#position < this.#parts.entries.end) this.wake();
    });
  }

  async #run(): Promise<void> {
    try {
      while (this.members.size > 0 && this.#position < this.#parts.entries.end) await this.#step();
    } catch {
      // What could not be read is not skipped: the members begin again where they are.
      for (const member of [...this.members]) this.#parts.close(member);
    }
  }

  async #step(): Promise<void> {
    const { entries } = this.#parts;
    const next = entries.after(this.#position, batchSize) ?? (await this.#fromJournal());
    for await (const { position, frame } of framesOf(this.events, this.events.changesIn(next))) {
      if (this.members.size === 0) return;
      if (frame) await this.#deliver(position, frame);
      else this.#position = Math.max(this.#position, position);
      if (frame) await this.#waitForOnly();
    }
    this.#position = Math.max(this.#position, next.end);
    this.#parts.onProgress();
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
    const read = await this.#parts.entries.fromJournal(this.#position, { most: batchSize, models: this.events.models });
    if (read.isTooOld) await this.#deliver(read.end, this.events.notice(read.end, 'TOO_OLD'));
    return read;
  }

  async #deliver(position: number, frame: Buffer): Promise<void> {
    for (const member of this.members) {
      if (position <= member.start) continue;
      const due = byteTurns.take(frame.length);
      if (due) await due;
      if (!this.members.has(member)) continue;
      if (member.receiver.send(frame)) member.start = position;
      else this.#parts.close(member);
    }
    // In the same turn as the last delivery: a member that joined in between would miss this change.
    this.#position = Math.max(this.#position, position);
  }
}
