/**
 * Announces a gap to every webhook after a backup was restored: the changes sent to its receiver since the backup are
 * undone, and the restored database does not know of them.
 */

import { clock } from '../../../change/journal/journal-state.js';
import { type Procedure, rows } from '../../../common/work.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Database } from '../../../database/open-database.js';
import { StatementBuilder } from '../../../database/statement-builder.js';
import { gapDelivery } from './message.js';

/**
 * Stores the announcement for each webhook: from its position in the backup to the present time, because every new
 * position is above the clock. Deliveries continue after its position in the backup, so nothing that the journal holds
 * is left out.
 */
function* announceRestored(provider: Provider): Procedure<void> {
  const [now] = yield* rows(`SELECT ${clock[provider]}`, []);
  const webhooks = yield* rows('SELECT "id", "position" FROM "Webhook"', []);
  const at = new Date().toISOString().replace('Z', provider === 'sqlite' ? '+00:00' : 'Z');
  for (const [id, position] of webhooks) {
    const after = Number(position);
    const gap = gapDelivery(String(id), after, Math.max(after + 1, Number(now?.[0])));
    const text = new StatementBuilder(provider);
    const values = [gap.id, gap.webhookId, gap.position, gap.document, at].map((value) => text.bind(value));
    yield text.statement(
      `INSERT INTO "WebhookDelivery" ("id", "webhookId", "position", "document", "nextAttemptAt", "attempts")
       VALUES (${values.join(', ')}, 0)`,
    );
  }
}

/** The same in a database that was restored from a backup. Older backups have no webhooks. */
export function* announceInBackup(): Procedure<void> {
  const found = yield* rows(`SELECT 1 FROM sqlite_master WHERE "name" = 'WebhookDelivery'`, []);
  if (found.length > 0) yield* announceRestored('sqlite');
}

/** Identifies the database and the table: restoring creates other tables, with other numbers. */
const place = `(SELECT "oid" FROM pg_database WHERE "datname" = current_database())::text || ' ' || '"JournalState"'::regclass::oid`;

/**
 * Checks whether the database is the same as when webhooks were last delivered from it, and announces a gap if not. On
 * PostgreSQL, whose own tools restore; for SQLite the command `restore` announces it.
 */
export async function detectRestored({ provider, perform }: Pick<Database, 'provider' | 'perform'>): Promise<void> {
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
