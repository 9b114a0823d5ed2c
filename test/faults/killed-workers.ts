/**
 * One of two workers is killed again and again under load, then all are replaced: only requests on the connections of a
 * killed worker fail.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { onBoth, workers } from './fault.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { anything, atMost, exactly, tried } from './report.js';
import { damages, numberOf } from './rows.js';

const kills = 8;
const clients = 8;
const path = '/api/assets/asset-repair';

export const killedWorkers = onBoth(
  'two workers, one killed again and again under load',
  async (provider, place, report, progress) => {
    const databaseUrl = await place.database(provider);
    const gateway = await startGateway({ databaseUrl, env: { WORKERS: '2', LOG_LEVEL: 'info' } });
    const { body: counter } = await gateway.send('POST', path, { asset: 'counter', failure_date: '' });
    const lines = { acknowledged: 0, sent: 0 };
    const wrong: string[] = [];
    let answered = 0;
    let cutOff = 0;
    let isOver = false;

    // Each new line moves all others and raises the version of their parent, so no write may be lost.
    const sending = workers(clients, async (client) => {
      const line = { asset_repair_id: counter.id, idx: 1, item_code: `bolt ${client}`, warehouse: 'main' };
      try {
        lines.sent++;
        const made = await gateway.send('POST', '/api/assets/asset-repair-consumed-item', line);
        if (made.status === 201) lines.acknowledged++;
        else wrong.push(`${made.status} ${JSON.stringify(made.body)}`);
        const read = await gateway.send('GET', `/api/assets/asset-repair-consumed-item/${made.body.id}`);
        if (read.status !== 200 || read.body.item_code !== line.item_code) wrong.push(`read ${read.status}`);
        answered += 2;
      } catch {
        cutOff++;
      }
      return !isOver;
    });
    for (let kill = 1; kill <= kills; kill++) {
      progress(`kill ${kill} of ${kills}, ${answered} answers`);
      const before = answered;
      await until(() => answered >= before + 20 && serving(gateway).length === 2);
      // The one that has served longer: each place in turn.
      const [victim] = serving(gateway);
      if (victim) process.kill(victim, 'SIGKILL');
      await until(() => !serving(gateway).some((pid) => pid === victim));
    }
    await until(() => serving(gateway).length === 2);
    const ofKills = cutOff;
    const before = served(gateway).length;
    gateway.kill('SIGUSR2');
    // A connection that its client keeps and does not use holds each of them for 65 seconds.
    await until(() => gateway.log.includes('Every worker was replaced'), 180_000);
    const renewed = served(gateway).length - before;
    isOver = true;
    await sending;
    const { code } = await gateway.stop();

    const stored = await numberOf(databaseUrl, 'SELECT count(*) FROM "AssetRepairConsumedItem"');
    const places = `SELECT count(DISTINCT "idx") FROM "AssetRepairConsumedItem" WHERE "idx" BETWEEN 1 AND ${stored}`;
    const version = await numberOf(databaseUrl, `SELECT "version" FROM "AssetRepair" WHERE "id" = '${counter.id}'`);
    report.figure('answers', answered, tried(20 * kills));
    report.figure('workers killed', killed(gateway), tried(kills / 2));
    // A disconnected client may open another connection to the same worker, whose end it has not noticed yet.
    report.figure('requests cut off by them', ofKills, atMost(2 * clients * kills));
    report.holds('no other answer than success', wrong.length === 0, wrong.slice(0, 3).join(', '));
    report.figure('acknowledged and not there', Math.max(0, lines.acknowledged - stored), exactly(0));
    report.figure('there though never sent', Math.max(0, stored - lines.sent), exactly(0));
    report.figure('counter raised by each of them', version - 1, exactly(stored));
    report.figure('places 1 … n that are taken', await numberOf(databaseUrl, places), exactly(stored));
    report.figure('workers replaced by SIGUSR2 at the end', renewed, exactly(2));
    report.figure('requests cut off by that', cutOff - ofKills, exactly(0));
    report.figure('exit code of SIGTERM', code ?? -1, exactly(0));
    report.figure('lines of the log that are torn', torn(gateway), exactly(0));
    report.figure('damages found by the database itself', (await damages(databaseUrl)).length, exactly(0));
    report.figure('writes', lines.acknowledged, anything);
  },
);

interface Line {
  msg: string;
  pid: number;
}

const linesOf = ({ log }: GatewayProcess): Line[] =>
  log.split('\n').flatMap((line) => (line.endsWith('}') && line.includes('"pid"') ? [JSON.parse(line)] : []));

const pidsIn = (gateway: GatewayProcess, message: string) =>
  linesOf(gateway).flatMap(({ msg, pid }) => (msg.startsWith(message) ? [pid] : []));
const served = (gateway: GatewayProcess) => pidsIn(gateway, 'A worker serves');
const killed = (gateway: GatewayProcess) => pidsIn(gateway, 'A worker has ended').length;

/** Resolves when it holds, or after these milliseconds: then the figures say what did not. */
async function until(holds: () => boolean, patience = 30_000): Promise<void> {
  const end = performance.now() + patience;
  while (!holds() && performance.now() < end) await sleep(10);
}

/** The workers that serve, the newest last. */
function serving(gateway: GatewayProcess): number[] {
  const ended = new Set(pidsIn(gateway, 'A worker has ended'));
  return served(gateway).filter((pid) => !ended.has(pid));
}

/** All workers and the primary process write to one pipe. */
function torn({ log }: GatewayProcess): number {
  return log.split('\n').filter((line) => line !== '' && !(line.startsWith('{"level"') && line.endsWith('}'))).length;
}
