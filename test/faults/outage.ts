/** PostgreSQL goes away in several ways and comes back; the gateway stays. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresqlServer } from '../support/postgresql.js';
import type { Fault } from './fault.js';
import { startGateway } from './gateway-process.js';
import { administer, type Place } from './place.js';
import { atLeast, below, exactly, type Report, tried } from './report.js';
import { damages, numberOf, rowsOf } from './rows.js';
import { Traffic } from './traffic.js';

const sessions = `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name = 'business-records-gateway'`;

export const outage: Fault[] = [
  {
    title: 'PostgreSQL stopped for 3 s and started',
    run: (place, report) =>
      during(place, report, { refuses: true }, async (server) => {
        await server.pause();
        await sleep(3000);
        await server.resume();
      }),
  },
  {
    title: 'PostgreSQL crashed and started, five times',
    run: (place, report) =>
      during(place, report, { refuses: true }, async (server) => {
        for (let times = 0; times < 5; times++) {
          await crashed(server);
          await server.resume();
          await sleep(500);
        }
      }),
  },
  {
    title: 'PostgreSQL backends terminated, twenty times',
    run: (place, report) =>
      during(place, report, { refuses: false }, async (server, database) => {
        for (let times = 0; times < 20; times++) {
          await administer(server.url, `SELECT pg_terminate_backend(pid) FROM (${sessions}) AS gateway`, [database]);
          await sleep(100);
        }
      }),
  },
  {
    title: 'a PostgreSQL backend killed with -9, three times',
    run: (place, report) =>
      during(place, report, { refuses: true }, async (server, database) => {
        for (let times = 0; times < 3; times++) {
          const [session] = await administer(server.url, sessions, [database]);
          process.kill(session.pid, 'SIGKILL');
          await accepting(server);
          await sleep(500);
        }
      }),
  },
];

async function during(
  place: Place,
  report: Report,
  { refuses }: { refuses: boolean },
  trouble: (server: PostgresqlServer, database: string) => Promise<void>,
): Promise<void> {
  const server = await place.server();
  const databaseUrl = await place.database('postgresql');
  const gateway = await startGateway({ databaseUrl });
  const traffic = new Traffic(gateway);
  await sleep(1000);
  const health = watch(() => gateway.send('GET', '/healthz'));
  await trouble(server, new URL(databaseUrl).pathname.slice(1));
  const back = performance.now();
  await sleep(2500);
  const alive = gateway.isRunning;
  const unhealthy = await health.stop();
  await traffic.stop();
  if (!alive) throw new Error(`The gateway ended: ${gateway.log.slice(-2000)}`);
  const ready = await gateway.send('GET', '/readyz');
  const stored = new Set((await rowsOf(databaseUrl, 'SELECT "id" FROM "UOMCategory"')).map(({ id }) => String(id)));
  const { body: page } = await gateway.send('GET', '/api/stock/u-o-m-category?limit=1');
  await gateway.stop();

  report.figure('writes acknowledged', traffic.acknowledged.length, tried(100));
  report.figure('answered 503 meanwhile', traffic.count(503), atLeast(refuses ? 1 : 0));
  report.figure('answers other than success and 503', traffic.others, exactly(0));
  if (traffic.others > 0) report.holds('which', false, JSON.stringify([...traffic.statuses, ...traffic.codes]));
  report.figure('served again after', traffic.servedAgainAfter(back), below(2000, ' ms'), ' ms');
  report.figure('/healthz not 200', unhealthy, exactly(0));
  report.figure('/readyz afterwards', ready.status, exactly(200));
  report.figure('acknowledged and lost', traffic.acknowledged.filter((id) => !stored.has(id)).length, exactly(0));
  report.figure(
    'total minus count(*)',
    page.total - (await numberOf(databaseUrl, 'SELECT count(*) FROM "UOMCategory"')),
    exactly(0),
  );
  report.figure('damages found by the database itself', (await damages(databaseUrl)).length, exactly(0));
}

/** Ends the server like a power cut, except that the operating system keeps its buffers. */
async function crashed(server: PostgresqlServer): Promise<void> {
  const [pid] = readFileSync(join(server.folder, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGQUIT');
  // Waits for its end, which is no error here.
  await server.pause();
}

async function accepting({ url }: PostgresqlServer): Promise<void> {
  for (;;) {
    await sleep(20);
    const answered = await administer(url, 'SELECT 1').catch(() => undefined);
    if (answered) return;
  }
}

/** Sends a request every 50 ms; `stop` returns how often the answer was not 200. */
function watch(ask: () => Promise<{ status: number }>): { stop(): Promise<number> } {
  let going = true;
  let bad = 0;
  const watching = (async () => {
    while (going) {
      const { status } = await ask().catch(() => ({ status: 0 }));
      if (status !== 200) bad++;
      await sleep(50);
    }
  })();
  return {
    stop: async () => {
      going = false;
      await watching;
      return bad;
    },
  };
}
