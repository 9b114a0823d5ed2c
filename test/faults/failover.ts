/**
 * A primary loses its power under load, and then its successor hangs and wakes up again. Each time Patroni promotes the
 * synchronous standby, and HAProxy leads the gateways there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster } from '../support/patroni/cluster.js';
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.js';
import { CarefulClient } from './careful-client.js';
import { type Fault, workers } from './fault.js';
import { Findings } from './findings.js';
import { startGateway } from './gateway-process.js';
import { type Busyness, watchMachine } from './machine.js';
import { anything, below, exactly, type Report, tried } from './report.js';
import { damages, numberOf } from './rows.js';
import { repeat } from './written.js';

const clients = 6;
/**
 * Milliseconds for which the gateways may refuse: the time of Patroni, HAProxy and PgBouncer, and theirs. Where other
 * programs take the processors meanwhile, they may take twice as long.
 */
const longest = { calm: 15_000, busy: 30_000 };
/** Milliseconds of load on a complete cluster, and on one with a new primary. */
const calm = 1_000;
/** Milliseconds in which a standby receives what the primary has sent. */
const untilReceived = 500;
/** Of the acknowledged writes that are repeated at the end. */
const mostRepeated = 300;
/** Writes before anything happens. */
const writesAtFirst = 100;

export const failover: Fault = {
  title: 'a primary that dies and one that hangs under load, with Patroni, etcd, HAProxy and PgBouncer',
  run: async (_place, report, progress) => {
    progress('the cluster begins');
    const cluster = await startCluster();
    let pooler: Pgbouncer | undefined;
    try {
      await cluster.whole();
      pooler = await startPgbouncer(cluster.primaryUrl);
      await onCluster(cluster, pooler.through(cluster.primaryUrl), report, progress);
    } finally {
      await pooler?.stop();
      await cluster.stop();
    }
  },
};

/** One of two gateways reaches the primary by way of PgBouncer, at `pooledUrl`. */
async function onCluster(
  cluster: Cluster,
  pooledUrl: string,
  report: Report,
  progress: (text: string) => void,
): Promise<void> {
  const { primaryUrl: databaseUrl, standbyUrl } = cluster;
  const env = { DATABASE_READ_URL: standbyUrl };
  const gateways = [
    await startGateway({ databaseUrl, env }),
    await startGateway({ databaseUrl: pooledUrl, env: { ...env, DATABASE_DIRECT_URL: databaseUrl } }),
  ];
  const findings = new Findings();
  const each = Array.from(
    { length: clients },
    (_, client) => new CarefulClient(`client ${client}`, gateways, findings),
  );
  let isOver = false;
  const load = workers(clients, async (client) => {
    await each[client]?.step();
    return !isOver;
  });
  /** The longest time for which a request was refused, until all are answered again, and how busy the machine was. */
  const refusedDuring = async (trouble: () => Promise<void>): Promise<Refused> => {
    findings.longestRefused = 0;
    findings.longestWithoutWrite = 0;
    const seen = watchMachine();
    await trouble();
    await cluster.whole();
    await sleep(calm);
    return { for: findings.longestRefused, byOne: findings.longestWithoutWrite, machine: await seen() };
  };

  await until(async () => findings.answers.write >= writesAtFirst, 30_000);
  const before = findings.answers.write;
  const readsThere = await numberOf(standbyUrl, readsOfRepairs);
  progress('the primary dies');
  const whenKilled = await refusedDuring(async () => {
    const [primary, heir] = [await cluster.memberThatIs('leader'), await cluster.memberThatIs('sync_standby')];
    // Commits of the primary now wait for the standby. It receives them after the primary was stopped, which can then no
    // longer acknowledge them: each client repeats a write that has happened.
    heir.freeze();
    await until(async () => (await numberOf(databaseUrl, commitsThatWait)) >= clients, 4_000);
    primary.freeze();
    heir.thaw();
    await sleep(untilReceived);
    await primary.kill();
    await cluster.ledByAnother(primary);
    await primary.start();
  });
  progress('the next primary hangs');
  const whenFrozen = await refusedDuring(async () => {
    const primary = await cluster.memberThatIs('leader');
    primary.freeze();
    await cluster.ledByAnother(primary);
    await sleep(calm);
    primary.thaw();
  });
  isOver = true;
  await load;

  const repeated = await repeat(findings.written, gateways, mostRepeated);
  const { lost, twice, unknown, stored } = await findings.against(databaseUrl);
  const totals = await Promise.all(gateways.map(async (gateway) => (await gateway.send('GET', oneOfAll)).body.total));
  const endings = await Promise.all(gateways.map((gateway) => gateway.stop()));

  report.figure('writes acknowledged before', before, tried(writesAtFirst));
  report.figure('and afterwards', findings.answers.write - before, tried(writesAtFirst));
  report.figure('reads by the standby before', readsThere, tried(writesAtFirst / 2));
  report.figure('requests refused with 503 and repeated', findings.refused, tried(clients));
  report.figure('repetitions of writes that had happened', findings.replayed, tried(1));
  report.figure('acknowledged writes repeated at the end', repeated.sent, tried(writesAtFirst));
  report.figure('of these without their stored answer', repeated.notStored.length, exactly(0));
  reportRefused(report, 'the primary killed', whenKilled);
  reportRefused(report, 'the primary frozen', whenFrozen);
  report.figure('acknowledged and lost', lost.length, exactly(0));
  report.figure('stored twice', twice.length, exactly(0));
  report.figure('stored and never acknowledged', unknown.length, exactly(0));
  report.figure('wrong answers', findings.wrong.length, exactly(0));
  const deviations = [lost, twice, unknown, findings.wrong, repeated.notStored].flat();
  if (deviations.length > 0) {
    report.holds('which', false, deviations.slice(0, 5).join(', '));
  }
  for (const total of totals) report.figure('total minus count(*)', total - stored, exactly(0));
  report.figure('gateways that ended by themselves', endings.filter(({ code }) => code !== 0).length, exactly(0));
  report.figure('damages found by the database itself', (await damages(databaseUrl)).length, exactly(0));
}

interface Refused {
  /** Milliseconds for which a request was refused by both gateways, and for which one of them took no write. */
  for: number;
  byOne: number;
  machine: Busyness;
}

/** Holds the time against what is allowed on such a machine, and says which that is. */
function reportRefused(report: Report, when: string, { for: time, byOne, machine }: Refused): void {
  const { idle, late, isBusy } = machine;
  const on = `${when}, on a machine that is ${isBusy ? 'busy' : 'not busy'}`;
  const allowed = below(longest[isBusy ? 'busy' : 'calm'], ' ms');
  report.figure(`refused at most, ${on}`, time, allowed, ' ms');
  report.figure(`without a write that one gateway takes at most, ${on}`, byOne, allowed, ' ms');
  report.figure(`of the processors' time left meanwhile, ${when}`, idle * 100, anything, ' %');
  report.figure(`lateness of timers meanwhile, ${when}`, late, anything, ' ms');
}

/** Resolves when the condition is true, or after these milliseconds; then the figures show what is wrong. */
async function until(holds: () => Promise<boolean>, patience: number): Promise<void> {
  const end = performance.now() + patience;
  while (!(await holds()) && performance.now() < end) await sleep(20);
}

const oneOfAll = '/api/assets/asset-repair?limit=1';

const commitsThatWait = `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
/** Reads the table of repairs, as counted by the server itself. */
const readsOfRepairs = `SELECT seq_scan + idx_scan FROM pg_stat_user_tables WHERE relname = 'AssetRepair'`;
