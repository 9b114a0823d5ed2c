import type { Logger } from 'pino';
import type { Database } from '../../../database/open-database.js';
import type { JournalFeed } from './journal-feed.js';
import type { ReadPayload } from './message.js';
import type { WorkerParts } from './worker-parts.js';

export interface DeliveryParts {
  database: Database;
  journal: JournalFeed;
  readPayload: ReadPayload;
  /** The setting WEBHOOK_KEY. */
  masterKey: string;
  /** The setting WEBHOOK_ALLOW. */
  allowed: readonly string[];
  log: Pick<Logger, 'warn'>;
  /** Called after each attempt; see `WorkerParts`. */
  onAttempt?: WorkerParts['onAttempt'];
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
