/** How fast others are served on SQLite while four clients read without an index, one long read after another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, workers } from '../faults/fault.js';
import { type GatewayProcess, key, startGateway } from '../faults/gateway-process.js';
import { anything, atLeast, below, exactly } from '../faults/report.js';
import { graphqlOperation, sendRequest } from './attack-request.js';
import { Bystander, median, p99 } from './bystander.js';
import { databaseWith, repairId } from './datasets.js';
import { contains, filtered } from './floods.js';

const rounds = 5;
const roundMillis = 3_000;
const readers = 4;
/** As many connections as the bench has: together they ask as fast as the gateway can answer. */
const connections = 32;

/** Readers of one record, as many as the gateway can serve, and then one of `/healthz`, beside four long reads. */
export const longReads: Fault = {
  title: 'attack: one record and /healthz beside four long reads',
  run: async (place, report) => {
    const gateway = await startGateway({ databaseUrl: await databaseWith(place, 'sqlite', 'rows') });
    const record = new Bystander(`${gateway.url}/api/assets/asset-repair/${repairId(3)}`, key, {
      connections,
      pause: 0,
    });
    let [failed, answered] = [0, 0];
    const rateDuring = async (work: Promise<unknown>) => {
      const startedAt = performance.now();
      const waits = await record.during(work);
      failed += waits.failed;
      return waits.times.length / (performance.now() - startedAt);
    };
    const attack = () => readSlowly(gateway, roundMillis, () => answered++);
    const shares: number[] = [];
    await rateDuring(sleep(2_000)); // warms the gateway up
    for (let round = 0; round < rounds; round++) {
      const quiet = await rateDuring(sleep(roundMillis));
      shares.push((await rateDuring(attack())) / quiet);
    }
    record.end();
    report.figure('requests for a record, by those in quiet', median(shares), atLeast(2 / 3));

    const health = new Bystander(`${gateway.url}/healthz`, key, { connections: 1 });
    const waits = await health.during(attack());
    health.end();
    report.figure('p99 of /healthz', p99(waits.times), below(50, ' ms'), ' ms');
    report.figure('longest wait for /healthz', Math.max(...waits.times), anything, ' ms');
    report.figure('long reads that were answered', answered, anything);
    report.figure('requests that failed', failed + waits.failed, exactly(0));
    await gateway.stop();
  },
};

/** Four reads at a time of 45,000 records each, begun for some milliseconds. */
async function readSlowly(gateway: GatewayProcess, milliseconds: number, onAnswer: () => void): Promise<void> {
  const until = performance.now() + milliseconds;
  await workers(readers, async () => {
    const { code } = await sendRequest(gateway, graphqlOperation(filtered(1, contains(10))));
    if (code === 'answered') onAnswer();
    return performance.now() < until;
  });
}
