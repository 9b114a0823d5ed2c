/** Ten gateways are started at once on a database with nothing in it. */
import { migrationsFolder, readMigrations } from '../../src/database/migrations/migration-history.js';
import { onBoth } from './fault.js';
import { launch } from './gateway-process.js';
import { exactly } from './report.js';
import { numberOf } from './rows.js';

const gatewaysAtOnce = 10;

export const tenStarts = onBoth('ten gateways starting at once', async (provider, place, report) => {
  const databaseUrl = await place.database(provider);
  const gateways = await Promise.all(Array.from({ length: gatewaysAtOnce }, () => launch({ databaseUrl })));
  const started = await Promise.allSettled(gateways.map((gateway) => gateway.ready(120_000)));
  for (const start of started) if (start.status === 'rejected') console.log(`    ${start.reason}`);
  const answers = await Promise.allSettled(
    gateways.map((gateway) => gateway.send('POST', '/api/stock/u-o-m-category', { category_name: 'x' })),
  );
  const endings = await Promise.all(gateways.map((gateway) => gateway.stop()));

  const created = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.status === 201).length;
  const finished = 'SELECT count(*) FROM "_prisma_migrations" WHERE finished_at IS NOT NULL';
  report.figure('ready', started.filter(({ status }) => status === 'fulfilled').length, exactly(gatewaysAtOnce));
  report.figure('records created, one through each', created, exactly(gatewaysAtOnce));
  report.figure(
    'migrations applied',
    await numberOf(databaseUrl, finished),
    exactly(readMigrations(migrationsFolder(provider)).length),
  );
  report.figure('stopped with exit code 0', endings.filter(({ code }) => code === 0).length, exactly(gatewaysAtOnce));
});
