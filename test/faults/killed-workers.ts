/**
 * One of two workers is killed again and again under load, then all are replaced: only requests on the connections of a
 * killed worker fail.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptedBy, BrokenOff, type Kill, killWithConnections, wasKilled } from '../support/connections.js';
import { ConnectedClient } from './connected-client.js';
import { onBoth, workers } from './fault.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { anything, atMost, exactly, tried } from './report.js';
import { damages, numberOf } from './rows.js';

const mostKills = 8;
const clients = 8;
/**
 * Requests after which a client takes another connection. Those of a killed worker all go to the other one, which would have them
 * until it is killed: then no client would have a connection to the worker that goes on.
 */
const perConnection = 10;
/** Clients of the worker that goes on, when the other one is killed. */
const leastSpared = 2;
const path = '/api/assets/asset-repair';

export const killedWorkers = onBoth(
  'two workers, one killed again and again under load',
  async (provider, place, report, progress) => {
    const databaseUrl = await place.database(provider);
    const gateway = await startGateway({ databaseUrl, env: { WORKERS: '2', LOG_LEVEL: 'info' } });
    const { body: counter } = await gateway.send('POST', path, { asset: 'counter', failure_date: '' });
    const lines = { acknowledged: 0, sent: 0 };
    const wrong: string[] = [];
    const each = Array.from({ length: clients }, () => new ConnectedClient(gateway.url, perConnection));
    const kills: Kill[] = [];
    const cutOff: BrokenOff[] = [];
    /** Connections to the worker that goes on, at each kill. */
    let spared = 0;
    let answered = 0;
    let isOver = false;
    /** Whether it has connections of clients, and the other one too. */
    const isShared = (worker = 0) => {
      const ports = acceptedBy(worker);
      const own = each.filter(({ connection }) => ports.has(connection?.port ?? 0)).length;
      return own > 0 && own <= clients - leastSpared;
    };

    // Each new line moves all others and raises the version of their parent, so no write may be lost.
    const sending = workers(clients, async (client) => {
      const own = each[client];
      if (!own) return false;
      const line = { asset_repair_id: counter.id, idx: 1, item_code: `bolt ${client}`, warehouse: 'main' };
      try {
        lines.sent++;
        const made = await own.send('POST', '/api/assets/asset-repair-consumed-item', line);
        if (made.status === 201) lines.acknowledged++;
        else wrong.push(`${made.status} ${JSON.stringify(made.body)}`);
        const read = await own.send('GET', `/api/assets/asset-repair-consumed-item/${made.body.id}`);
        if (read.status !== 200 || read.body.item_code !== line.item_code) wrong.push(`read ${read.status}`);
        answered += 2;
      } catch (error) {
        if (error instanceof BrokenOff) cutOff.push(error);
        else wrong.push(String(error));
      }
      return !isOver;
    });
    for (let round = 1; round <= mostKills; round++) {
      progress(`kill ${round} of ${mostKills}, ${answered} answers`);
      const before = answered;
      // The one that has served longer: each place in turn. Clients take some of their next connections to the new one.
      await until(() => answered >= before + 20 && serving(gateway).length === 2 && isShared(serving(gateway)[0]));
      const [victim] = serving(gateway);
      const kill = victim && (await killWithConnections(victim));
      if (kill) kills.push(kill);
      if (kill) spared += each.filter(({ connection }) => connection?.port && !wasKilled(connection, [kill])).length;
      await until(() => !serving(gateway).some((pid) => pid === victim));
    }
    await until(() => serving(gateway).length === 2);
    const ofKills = cutOff.length;
    const before = served(gateway).length;
    gateway.kill('SIGUSR2');
    // A connection that its client keeps and does not use holds each of them for 65 seconds.
    await until(() => gateway.log.includes('Every worker was replaced'), 180_000);
    const renewed = served(gateway).length - before;
    isOver = true;
    await sending;
    for (const client of each) client.close();
    const { code } = await gateway.stop();

    const stored = await numberOf(databaseUrl, 'SELECT count(*) FROM "AssetRepairConsumedItem"');
    const places = `SELECT count(DISTINCT "idx") FROM "AssetRepairConsumedItem" WHERE "idx" BETWEEN 1 AND ${stored}`;
    const version = await numberOf(databaseUrl, `SELECT "version" FROM "AssetRepair" WHERE "id" = '${counter.id}'`);
    report.figure('answers', answered, tried(20 * mostKills));
    report.figure('workers killed', killed(gateway), tried(mostKills / 2));
    report.figure('connections of clients to the other one meanwhile', spared, tried((leastSpared * mostKills) / 2));
    report.figure('requests cut off by them', ofKills, atMost(clients * mostKills));
    const others = cutOff.slice(0, ofKills).filter(({ connection }) => !wasKilled(connection, kills));
    report.figure('of these on a connection of the worker that goes on', others.length, exactly(0));
    if (others.length > 0) report.holds('which', false, others.slice(0, 3).map(String).join(', '));
    report.holds('no other answer than success', wrong.length === 0, wrong.slice(0, 3).join(', '));
    report.figure('acknowledged and not there', Math.max(0, lines.acknowledged - stored), exactly(0));
    report.figure('there though never sent', Math.max(0, stored - lines.sent), exactly(0));
    report.figure('counter raised by each of them', version - 1, exactly(stored));
    report.figure('places 1 … n that are taken', await numberOf(databaseUrl, places), exactly(stored));
    report.figure('workers replaced by SIGUSR2 at the end', renewed, exactly(2));
    report.figure('requests cut off by that', cutOff.length - ofKills, exactly(0));
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
