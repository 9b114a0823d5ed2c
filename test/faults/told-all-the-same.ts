/**
 * Faults of gateways and databases while streams are open and webhooks are delivered: every change is still reported.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { Sqlite } from '../support/sqlite-library.js';
import { type Fault, onBoth } from './fault.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { atLeast, below, exactly } from './report.js';
import { webhookSettings as env, Telling } from './telling.js';

const databaseGone: Fault[] = [
  {
    title: 'streams and webhooks, PostgreSQL stopped for 5 s',
    async run(place, report) {
      const server = await place.server();
      const databaseUrl = await place.database('postgresql');
      const gateway = await startGateway({ databaseUrl, env });
      const telling = await Telling.start(databaseUrl, () => gateway);
      await sleep(3000);
      await server.pause();
      await sleep(5000);
      await server.resume();
      await sleep(3000);
      await telling.settle(report);
      report.holds('the gateway stays', gateway.isRunning, gateway.log.slice(-500));
      await gateway.stop();
    },
  },
  {
    title: 'streams and webhooks, a SQLite file locked for 8 s',
    async run(place, report) {
      const databaseUrl = await place.database('sqlite');
      const gateway = await startGateway({ databaseUrl, env });
      const telling = await Telling.start(databaseUrl, () => gateway);
      await sleep(3000);
      const holder = new Sqlite(sqlitePath(databaseUrl), { timeout: 10_000 });
      holder.exec('BEGIN IMMEDIATE');
      await sleep(8000);
      holder.exec('ROLLBACK').close();
      await sleep(3000);
      await telling.settle(report);
      report.holds('the gateway stays', gateway.isRunning, gateway.log.slice(-500));
      await gateway.stop();
    },
  },
];

const frozen = onBoth(
  'streams and webhooks, each of two processes frozen for 10 s',
  async (provider, place, report) => {
    const databaseUrl = await place.database(provider);
    const gateways = [await startGateway({ databaseUrl, env }), await startGateway({ databaseUrl, env })];
    let [used] = gateways as [GatewayProcess, GatewayProcess];
    const telling = await Telling.start(databaseUrl, () => used);
    const silences: number[] = [];
    // One of them has the lease of the webhooks. Streams of a frozen process are cut by those who follow them.
    for (const gateway of gateways) {
      used = gateways.find((other) => other !== gateway) ?? used;
      await sleep(3000);
      gateway.kill('SIGSTOP');
      for (const subscriber of telling.subscribers) subscriber.reconnect();
      const at = performance.now();
      // What it has under way may still arrive.
      await sleep(500);
      await telling.receiver.nextMessage(20_000);
      silences.push((performance.now() - at) / 1000);
      await sleep(Math.max(0, 10_000 - (performance.now() - at)));
      gateway.kill('SIGCONT');
    }
    await sleep(3000);
    await telling.settle(report);
    // A process that is frozen within a transaction keeps its locks, on PostgreSQL until the server ends it after 20 s.
    report.figure('longest silence of the webhook', Math.max(...silences), below(30, ' s'), ' s');
    const { arrivals, accepted } = telling.receiver;
    // A frozen process later continues its requests; their ids show that they are repetitions.
    report.figure('messages that came twice, each with its id', arrivals - accepted.size, below(accepted.size / 2));
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  },
);

const stopped = onBoth('streams and webhooks, SIGTERM and a start', async (provider, place, report) => {
  const databaseUrl = await place.database(provider);
  let gateway = await startGateway({ databaseUrl, env });
  const telling = await Telling.start(databaseUrl, () => gateway);
  const times: number[] = [];
  let following = 0;
  const codes: (number | null)[] = [];
  for (let round = 0; round < 3; round++) {
    await sleep(3000);
    following += telling.subscribers.filter(({ isFollowing }) => isFollowing).length;
    const at = performance.now();
    codes.push((await gateway.stop()).code);
    times.push((performance.now() - at) / 1000);
    gateway = await startGateway({ databaseUrl, env });
  }
  const closings = telling.subscribers.reduce((sum, { closings }) => sum + closings, 0);
  await sleep(1000);
  await telling.settle(report);
  report.figure('streams that ended with their position', closings, atLeast(Math.max(1, following)));
  report.figure('exit codes other than 0', codes.filter((code) => code !== 0).length, exactly(0));
  report.figure('longest stop', Math.max(...times), below(15, ' s'), ' s');
  await gateway.stop();
});

export const toldAllTheSame: Fault[] = [...databaseGone, ...frozen, ...stopped];
