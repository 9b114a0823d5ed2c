/** The number of disk syncs per acknowledged write. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, workers } from './fault.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { administer } from './place.js';
import { atLeast, below, Skipped } from './report.js';

const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'business-records-gateway'`;

export const syncs: Fault[] = [
  {
    title: 'syncs per acknowledged write, sqlite',
    async run(place, report) {
      if (spawnSync('strace', ['-V']).error)
        throw new Skipped('strace is not installed (Debian: apt-get install strace)');
      const trace = join(place.folder(), 'trace');
      const gateway = await startGateway({
        databaseUrl: await place.database('sqlite'),
        through: ['strace', '-D', '-f', '-e', 'trace=fsync,fdatasync', '-e', 'signal=none', '-o', trace],
      });
      // strace writes to its file at once, a line for each call.
      const syncsSoFar = async () => (readFileSync(trace, 'utf8').match(/\bf(data)?sync\(/g) ?? []).length;
      await measure(gateway, syncsSoFar, report);
      await gateway.stop();
    },
  },
  {
    title: 'syncs per acknowledged write, postgresql',
    async run(place, report) {
      const databaseUrl = await place.database('postgresql');
      const [{ version }] = await administer(
        databaseUrl,
        `SELECT current_setting('server_version_num')::int AS version`,
      );
      if (version < 180_000) throw new Skipped('PostgreSQL counts the syncs of its log from version 18 on');
      const gateway = await startGateway({ databaseUrl });
      const syncsSoFar = async () => {
        // A session reports its syncs when it ends; the gateway opens another.
        await administer(databaseUrl, endSessions);
        await sleep(500);
        const [row] = await administer(databaseUrl, `SELECT sum(fsyncs) AS syncs FROM pg_stat_io WHERE object = 'wal'`);
        return Number(row.syncs);
      };
      await measure(gateway, syncsSoFar, report);
      await gateway.stop();
    },
  },
];

async function measure(
  gateway: GatewayProcess,
  syncsSoFar: () => Promise<number>,
  report: Parameters<Fault['run']>[1],
): Promise<void> {
  const alone = await syncsPerWrite(200, 1);
  const together = await syncsPerWrite(2000, 32);
  report.figure('syncs per write, one client', alone, atLeast(1));
  report.figure('syncs per write, 32 clients (a commit is shared)', together, below(1));
  report.figure('writes per sync, 32 clients', 1 / together, atLeast(1));

  async function syncsPerWrite(writes: number, clients: number): Promise<number> {
    const before = await syncsSoFar();
    let asked = 0;
    await workers(clients, async () => {
      if (asked++ >= writes) return false;
      const { status } = await gateway.send('POST', '/api/stock/u-o-m-category', { category_name: 'x' });
      if (status !== 201) throw new Error(`A write was answered ${status}`);
      return true;
    });
    return ((await syncsSoFar()) - before) / writes;
  }
}
