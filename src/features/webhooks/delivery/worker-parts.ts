import type { ConnectionSlots } from './connection-slots.js';
import type { ReadPayload } from './message.js';
import type { Sender } from './sender.js';
import type { SharedReads } from './shared-reads.js';

export const queueLimits = {
  /** Deliveries that are read ahead of the last one that is settled. */
  open: 500,
  /** Deliveries that wait for another attempt; beyond, nothing more is read. */
  stored: 1000,
  /** Entries read at once. */
  read: 200,
  /** From so many failing documents on, with no success in between, further ones are tried one by one (`webhook-worker.ts`). */
  failingDocuments: 5,
};

/** What the workers of all webhooks share. */
export interface WorkerParts {
  feed: SharedReads;
  sender: Sender;
  slots: ConnectionSlots;
  readPayload: ReadPayload;
  /** Whether this process may still deliver. */
  mayDeliver(): boolean;
  onError(error: unknown): void;
  /** Called after each attempt: with the HTTP status, 0 where there was no answer, and how long it took. */
  onAttempt?: ((status: number, milliseconds: number) => void) | undefined;
}
