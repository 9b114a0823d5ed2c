/**
 * Announces a gap to every webhook once a backup was restored: what its receiver was told since the backup is undone, and
 * the restored database knows nothing of it.
 */
import type { Provider } from '../database/migrations/migration-history.js';
import type { Database } from '../database/open-database.js';
import { clock } from '../journal/clock.js';
import { type Procedure, rows } from '../work.js';
import { gapDelivery } from './new-delivery.js';

/**
 * Stores the announcement for each webhook: from where it was in the backup to now, because no position is given that is
 * not above the clock. Deliveries go on behind where it was, so nothing that the journal holds is left out.
 */
export function* announceRestored(provider: Provider): Procedure<void> {
  const [now] = yield* rows(`SELECT ${clock[provider]}`, []);
  const webhooks = yield* rows('SELECT "id", "position" FROM "Webhook"', []);
  const at = new Date().toISOString().replace('Z', provider === 'sqlite' ? '+00:00' : 'Z');
  const places =
    provider === 'sqlite' ? ['?', '?', '?', '?', '?'] : ['$1', '$2', '$3::bigint', '$4', '$5::timestamp(3)'];
  for (const [id, position] of webhooks) {
    const after = Number(position);
    const gap = gapDelivery(String(id), after, Math.max(after + 1, Number(now?.[0])));
    yield* rows(
      `INSERT INTO "WebhookDelivery" ("id", "webhookId", "position", "document", "nextAttemptAt", "attempts")
       VALUES (${places.join(', ')}, 0)`,
      [gap.messageId, String(id), after + 1, gap.document, at],
    );
  }
}

/** The same number for as long as the tables are where they are; other tables, as restoring makes them, have others. */
const place = `(SELECT "oid" FROM pg_database WHERE "datname" = current_database())::text || ' ' || '"JournalState"'::regclass::oid`;

/**
 * Looks whether the database is where it was when webhooks were last delivered from it, and announces a gap if not. On
 * PostgreSQL, whose own tools restore; for SQLite the command `restore` announces it.
 */
export async function noticeRestored({ provider, perform }: Pick<Database, 'provider' | 'perform'>): Promise<void> {
  if (provider === 'postgresql') await perform(announceIfMoved);
}

function* announceIfMoved(): Procedure<void> {
  const [state] = yield* rows(
    `SELECT coalesce("place", ''), ${place} FROM "JournalState" WHERE "id" = 1 FOR UPDATE`,
    [],
  );
  const [before, now] = (state ?? []).map(String);
  if (before === now) return;
  yield* rows(`UPDATE "JournalState" SET "place" = ${place} WHERE "id" = 1`, []);
  if (before !== '') yield* announceRestored('postgresql');
}
