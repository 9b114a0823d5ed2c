import type { Logger } from 'pino';
import type { Database } from '../../../database/open-database.js';
import type { Metric, OnMeasured } from '../../../gateway/feature.js';
import type { JournalFeed } from './journal-feed.js';
import type { ReadPayload } from './message.js';
import type { ConnectionSlots, Sender } from './sender.js';
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
  /** Receives `deliveries` and `deliverySeconds`. */
  measure?: OnMeasured | undefined;
}

export interface DeliveryParts {
  database: Database;
  journal: JournalFeed;
  readPayload: ReadPayload;
  /** The setting WEBHOOK_KEY. */
  masterKey: string;
  /** The setting WEBHOOK_ALLOW. */
  allowed: readonly string[];
  log: Pick<Logger, 'warn'>;
  measure?: WorkerParts['measure'];
}

export const deliveryTimes = {
  /** Milliseconds between checks of the lease and the webhooks. */
  look: 700,
  /** Milliseconds between checks for what is due, and between writes of what was delivered. */
  save: 200,
  /** Milliseconds between writes of positions where nothing was delivered. */
  position: 5000,
  /** Milliseconds that requests under way have to end when the process stops. */
  stop: 3000,
};

export const deliveries: Metric = {
  name: 'records_deliveries_total',
  help: 'Attempts to deliver a message of a webhook, by HTTP status; `0` where there was no answer.',
  kind: 'counter',
  labels: ['status'],
};

export const deliverySeconds: Metric = {
  name: 'records_delivery_seconds',
  help: 'Seconds of an attempt to deliver a message of a webhook.',
  kind: 'seconds',
};
