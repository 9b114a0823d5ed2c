/** SIGTERM while fifty requests are under way, held up by somebody else's lock. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { Sqlite } from '../support/sqlite-library.js';
import { onBoth } from './fault.js';
import { startGateway } from './gateway-process.js';
import { below, exactly } from './report.js';
import { numberOf } from './rows.js';

const requests = 50;

export const stopping = onBoth('SIGTERM with 50 requests under way', async (provider, place, report) => {
  const databaseUrl = await place.database(provider);
  const gateway = await startGateway({ databaseUrl });
  const create = () => gateway.send('POST', '/api/stock/u-o-m-category', { category_name: 'x' });
  await create();
  const release = await holdUp(databaseUrl);
  const answers = Array.from({ length: requests }, () => create().catch(() => ({ status: 0 })));
  await sleep(700);

  const startedAt = performance.now();
  gateway.kill('SIGTERM');
  await sleep(500);
  const late = await create().catch(() => ({ status: 0 }));
  await release();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  const { code } = await gateway.ended;
  const took = performance.now() - startedAt;

  report.figure('answered 201', statuses.filter((status) => status === 201).length, exactly(requests));
  report.holds(
    'a request after the signal is not taken',
    late.status === 0 || late.status === 503,
    `but ${late.status}`,
  );
  report.figure('exit code', code ?? -1, exactly(0));
  report.figure('from the signal to the end', took, below(5000, ' ms'), ' ms');
  report.figure('stored', (await numberOf(databaseUrl, 'SELECT count(*) FROM "UOMCategory"')) - 1, exactly(requests));
});

/** Makes every write wait; the function it returns lets them go on. */
async function holdUp(databaseUrl: string): Promise<() => Promise<void>> {
  if (databaseUrl.startsWith('file:')) {
    const holder = new Sqlite(sqlitePath(databaseUrl));
    holder.exec('BEGIN IMMEDIATE');
    return async () => void holder.exec('ROLLBACK').close();
  }
  const holder = new pg.Client(databaseUrl);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE "UOMCategory" IN EXCLUSIVE MODE');
  return async () => {
    await holder.query('ROLLBACK');
    await holder.end();
  };
}
