import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { repeat } from '../../common/timing.js';
import type { Procedure } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import { StatementBuilder } from '../../database/statement-builder.js';

/** Milliseconds for which an answer can be replayed. */
export const keptFor = 24 * 60 * 60 * 1000;
/** Milliseconds before the first sweep, short enough for processes that are restarted often, and between sweeps. */
const sweeps = { first: 60 * 1000, every: 60 * 60 * 1000 };
/** Rows deleted by each statement, and milliseconds between statements: on SQLite all writers wait for each. */
const batch = { rows: 20, pause: 20 };

type Swept = Pick<Database, 'perform' | 'provider'>;

/** Deletes answers older than a day in small batches; returns their number. Stops early when the signal is aborted. */
export async function sweep({ perform, provider }: Swept, now = Date.now(), signal?: AbortSignal): Promise<number> {
  const old = new Date(now - keptFor);
  let count = 0;
  for (;;) {
    const deleted = await perform(() => deleteSome(provider, old));
    count += deleted;
    if (deleted < batch.rows || signal?.aborted) return count;
    await sleep(batch.pause, undefined, { ref: false });
  }
}

function* deleteSome(provider: Provider, old: Date): Procedure<number> {
  const deletion = new StatementBuilder(provider);
  const sql = `
    DELETE FROM "IdempotentRequest" WHERE "id" IN
      (SELECT "id" FROM "IdempotentRequest" WHERE "createdAt" < ${deletion.bind(old)}
       ORDER BY "createdAt" LIMIT ${batch.rows})
    RETURNING "id"`;
  const deleted = yield { ...deletion.statement(sql), isWhole: true, callsNoListeners: true };
  return deleted.length;
}

/**
 * Sweeps regularly until the returned function is called. A failed sweep is only logged, because another one follows.
 */
export function keepSwept(database: Swept, log: Pick<Logger, 'warn'>, { first, every } = sweeps): () => void {
  const end = new AbortController();
  const { signal } = end;
  void repeat(
    () => sweep(database, undefined, signal),
    { first, every, signal },
    (err) => log.warn({ err }, 'Expired answers of idempotent requests could not be deleted'),
  );
  return () => end.abort();
}
