import type { JournalEntry } from '../../../change/journal/journal.js';
import type { TransactionClient } from '../../../database/open-database.js';

/** A row of the table WebhookDelivery; `prisma/models/gateway.prisma` says what each column means. */
type DeliveryRow = Awaited<ReturnType<TransactionClient['webhookDelivery']['findMany']>>[number];

/** A message to be delivered: its row, which is in the table only while it waits, and what this process knows of it. */
export interface Delivery extends Omit<DeliveryRow, 'position'> {
  position: number | null;
  /** Undefined where it has to be read again, or is gone from the journal. */
  entry: JournalEntry | undefined;
  /** How often its message could not be built in this process, for any reason. */
  unmade: number;
  /** How many of these failures came from a record that cannot be read. */
  unread: number;
}

export const deliveryOf = ({ position, ...row }: DeliveryRow): Delivery => ({
  ...newDelivery(row.webhookId, row.id, position === null ? null : Number(position), row.document),
  ...row,
});

/** A delivery that was never attempted and is due at once. */
export const newDelivery = (webhookId: string, id: string, position: number | null, document: string): Delivery => ({
  id,
  webhookId,
  position,
  document,
  firstFailedAt: null,
  nextAttemptAt: new Date(0),
  requestedAt: null,
  entry: undefined,
  attempts: 0,
  unmade: 0,
  unread: 0,
});

/**
 * The deliveries of one webhook that are under way or waiting, in memory. Each document has a line of its own, in the
 * order of positions, so that a delivery that fails keeps only its own document waiting.
 *
 * A delivery that has failed, and everything behind it in its line, is also in the table WebhookDelivery, so that the
 * position of the webhook can go on. `position` is where reading goes on after a crash: everything up to it is settled
 * or in that table.
 */
export class DeliveryQueue {
  /** The highest position that was read from the journal. */
  readTo: number;
  readonly #lines = new Map<string, Delivery[]>();
  /** Documents with a request under way. */
  readonly #busy = new Set<string>();
  /** Positions that are neither settled nor stored, ascending, each with the one behind which it was read. */
  readonly #open = new Map<number, number>();
  readonly #stored = new Set<Delivery>();

  /** Notes in `unsaved` what is to be written to the table: a delivery, or undefined for one that is to be deleted, by its id. */
  constructor(
    position: number,
    private readonly unsaved: Map<string, Delivery | undefined>,
  ) {
    this.readTo = position;
  }

  /** Everything up to here is settled or stored. */
  get position(): number {
    // A map keeps the order in which positions were added, which ascends.
    for (const before of this.#open.values()) return before;
    return this.readTo;
  }

  get openCount(): number {
    return this.#open.size;
  }

  get storedCount(): number {
    return this.#stored.size;
  }

  /** Documents whose next delivery has failed before. */
  get failingCount(): number {
    return [...this.#lines.values()].filter(([next]) => next && next.attempts > 0).length;
  }

  /** Adds an entry that was read behind `after`; it is stored if it waits for one that is. */
  add(delivery: Delivery, after: number): void {
    if (this.#insert(delivery).some((other) => this.#stored.has(other))) this.#store(delivery);
    else if (delivery.position !== null) this.#open.set(delivery.position, after);
  }

  /**
   * Adds a delivery from the table; one that is known already becomes due if it was asked for. It is then marked as
   * stored, so that settling it deletes it from the table: otherwise it would be found there and delivered once more. One
   * that is made, and whose note is still to be written, is left out.
   */
  addStored(delivery: Delivery): void {
    if (this.unsaved.has(delivery.id)) return;
    const known = this.#lines.get(delivery.document)?.find(({ id }) => id === delivery.id);
    if (!known) this.#insert(delivery);
    this.#noteStored(known ?? delivery);
    if (known && delivery.requestedAt && known.requestedAt?.getTime() !== delivery.requestedAt.getTime()) {
      known.requestedAt = delivery.requestedAt;
      known.nextAttemptAt = delivery.nextAttemptAt;
    }
  }

  /** A delivery that is due and whose document has none under way; it then has. `retriesOnly` starts no new documents. */
  take(now: number, retriesOnly: boolean): Delivery | undefined {
    for (const [document, [next]] of this.#lines) {
      if (!next || isAwaited(next.nextAttemptAt.getTime(), now) || this.#busy.has(document)) continue;
      if (retriesOnly && next.attempts === 0 && !next.requestedAt) continue;
      this.#busy.add(document);
      return next;
    }
    return undefined;
  }

  /** Removes a delivery that has been made, or given up. */
  settle(delivery: Delivery): void {
    const line = (this.#lines.get(delivery.document) ?? []).filter((other) => other !== delivery);
    if (line.length > 0) this.#lines.set(delivery.document, line);
    else this.#lines.delete(delivery.document);
    this.#busy.delete(delivery.document);
    if (delivery.position !== null) this.#open.delete(delivery.position);
    if (this.#stored.delete(delivery)) this.unsaved.set(delivery.id, undefined);
  }

  /** Ends a request that was not made, or whose outcome does not count. */
  release({ document }: Delivery): void {
    this.#busy.delete(document);
  }

  /** Ends a request that has failed; stores the delivery as it is now, and its line behind it. */
  postpone(delivery: Delivery): void {
    this.release(delivery);
    for (const other of this.#lines.get(delivery.document) ?? []) {
      if (other === delivery || !this.#stored.has(other)) this.#store(other);
    }
  }

  #store(delivery: Delivery): void {
    this.unsaved.set(delivery.id, delivery);
    this.#noteStored(delivery);
  }

  /** Notes that a delivery is in the table, or will be there together with the position. */
  #noteStored(delivery: Delivery): void {
    this.#stored.add(delivery);
    if (delivery.position !== null) this.#open.delete(delivery.position);
  }

  /** Inserts by position, but not before a delivery under way. */
  #insert(delivery: Delivery): Delivery[] {
    const { document, position } = delivery;
    const line = this.#lines.get(document) ?? [];
    const first = this.#busy.has(document) ? 1 : 0;
    const behind = line.findIndex((other, index) => index >= first && (other.position ?? 0) > (position ?? 0));
    line.splice(behind < 0 ? line.length : behind, 0, delivery);
    this.#lines.set(document, line);
    return line;
  }
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds between an attempt and the next; after the last of them, the last is repeated. */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour];

/** The pause after so many failures, from 1. */
const pauseAfter = (failures: number): number => pauses[Math.min(failures, pauses.length) - 1] ?? 0;

/**
 * The pause after a message could not be built so many times, from 1. Short, because the fault is the gateway's own.
 */
export const pauseUnmade = (tries: number): number => Math.min(second * 2 ** (tries - 1), minute);

/** The pause before one more document is tried, after so many at a receiver where nearly all fail. */
export const pauseForFurther = (tried: number): number => Math.min(pauseAfter(tried), 2 * minute);

/** Milliseconds for which a delivery is attempted again. */
export const retriedFor = 3 * 24 * hour;

/** A longer time than between any attempt and the next. */
const longestPause = 14 * hour;

/**
 * Whether a delivery waits for its time. One that no attempt could have set comes from a clock that was ahead, and is not
 * waited for: it could be years.
 */
const isAwaited = (dueAt: number, now: number): boolean => dueAt > now && dueAt <= now + longestPause;

/**
 * When to attempt a delivery again that has failed `attempts` times, the first time at `since`; undefined if it has been
 * attempted for three days. Pauses vary by up to a tenth, so that deliveries that failed together are not repeated
 * together.
 */
export function nextAttempt(attempts: number, since: Date, now: Date, random = Math.random()): Date | undefined {
  const end = since.getTime() + retriedFor;
  if (now.getTime() >= end) return undefined;
  const pause = pauseAfter(attempts);
  // The last attempt is made at the end of the three days.
  return new Date(Math.min(end, now.getTime() + pause * (0.9 + 0.2 * random)));
}
