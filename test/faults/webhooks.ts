/**
 * Gateways that deliver webhooks are killed between a commit, its delivery and the record of the delivery; receivers
 * misbehave.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { onBoth, workers } from './fault.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { atLeast, below, exactly, tried } from './report.js';
import { rowsOf } from './rows.js';
import { type Manner, WebhookReceiver } from './webhook-receiver.js';

const rounds = 8;
const writers = 8;
/**
 * Milliseconds between two documents of a writer, so that a receiver that stalls gets all changes within two minutes
 * however fast the machine is.
 */
const pause = 1_000;
const env = { WEBHOOK_KEY: 'the-master-key-of-the-fault-run-32-letters', WEBHOOK_ALLOW: '127.0.0.1' };
const manners: Manner[] = ['good', 'stalls', 'resets', 'drips', 'redirects', 'fails'];
const repairs = '/api/assets/asset-repair';

export const webhooks = onBoth('webhooks, kill -9 and bad receivers', async (provider, place, report, progress) => {
  const databaseUrl = await place.database(provider);
  const start = () => startGateway({ databaseUrl, env });
  let gateways = [await start(), await start()];
  const receivers = await Promise.all(manners.map((manner) => WebhookReceiver.start(manner)));
  const [good] = receivers;
  if (!good) throw new Error('There is no receiver');
  for (const { url, manner } of receivers) {
    await gateways[0]?.graphql('mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }', {
      input: { name: manner, url },
    });
  }

  let isOver = false;
  const writing = workers(writers, async (writer) => {
    const gateway = gateways[writer % gateways.length];
    if (gateway?.isRunning) await write(gateway).catch(() => undefined);
    await sleep(pause);
    return !isOver;
  });

  const silences: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}, ${good.accepted.size} delivered`);
    await sleep(1000 + Math.random() * 1000);
    // In odd rounds all are killed when a message has come and before it is answered, in even rounds one at any time.
    const killed = round % 2 === 1 ? gateways : gateways.slice(0, 1);
    if (round % 2 === 1) await nextMessage(good, () => killAllOf(killed));
    else killAllOf(killed);
    const at = performance.now();
    await Promise.all(killed.map(({ ended }) => ended));
    const replaced = round % 2 === 1 ? [start(), start()] : [start()];
    const others = gateways.filter((gateway) => !killed.includes(gateway));
    if (others.length > 0) {
      await nextMessage(good);
      silences.push((performance.now() - at) / 1000);
    }
    gateways = [...others, ...(await Promise.all(replaced))];
  }
  isOver = true;
  await writing;
  const committed = await positionsIn(databaseUrl, provider);
  const missing = () => receivers.map(({ accepted }) => committed.filter((position) => !accepted.has(position)).length);
  for (let waited = 0; missing().some((count) => count > 0) && waited < 120_000; waited += 200) {
    if (waited % 5000 === 0) progress(`${missing().join(', ')} of ${committed.length} not yet delivered`);
    await sleep(200);
  }
  const left = missing();
  await Promise.all(gateways.map((gateway) => gateway.stop()));

  report.figure('changes committed', committed.length, tried(300));
  for (const [index, { manner, accepted, arrivals }] of receivers.entries()) {
    report.figure(`not delivered to the receiver that ${says[manner]}`, left[index] ?? -1, exactly(0));
    report.figure(
      `delivered to it and not committed`,
      accepted.size - committed.length + (left[index] ?? 0),
      exactly(0),
    );
    report.figure(`messages to it in all`, arrivals, atLeast(committed.length));
  }
  const sum = (each: (receiver: WebhookReceiver) => number) => receivers.reduce((total, one) => total + each(one), 0);
  for (const { problems } of receivers) for (const problem of problems.slice(0, 5)) console.log(`    ${problem}`);
  report.figure(
    'out of order within a document',
    sum((receiver) => receiver.outOfOrder()),
    exactly(0),
  );
  report.figure(
    'gaps, and repetitions with another id',
    sum(({ problems }) => problems.length),
    exactly(0),
  );
  report.figure('longest silence after the kill of one of two', Math.max(...silences), below(10, ' s'), ' s');
  for (const receiver of receivers) receiver.close();
});

const says: Record<Manner, string> = {
  good: 'is good',
  away: 'listens only now and then',
  stalls: 'stalls',
  resets: 'resets connections',
  drips: 'answers byte by byte',
  redirects: 'answers 307',
  fails: 'answers 500',
};

/** A document that is created, changed, submitted and, one in four, deleted; one in four is rolled back before. */
async function write(gateway: GatewayProcess): Promise<void> {
  const { body } = await gateway.send('POST', repairs, { asset: 'press', failure_date: '2026-01-31' });
  if (Math.random() < 0.25) {
    // The second of the items is refused, and the first is rolled back with it.
    await gateway.send('POST', '/graphql', {
      query:
        'mutation ($id: ID!) { saveAssetRepair(id: $id, input: { asset: "x", consumedItems: [{ id: "none", itemCode: "x" }] }) { record { id } } }',
      variables: { id: body.id },
    });
  }
  await gateway.send('POST', '/api/assets/asset-repair-consumed-item', {
    asset_repair_id: body.id,
    item_code: 'bolt',
    warehouse: 'main',
  });
  await gateway.send('PATCH', `${repairs}/${body.id}`, { asset: `press ${Math.random()}` });
  await gateway.send('POST', `${repairs}/${body.id}/submit`);
  if (Math.random() < 0.25) await gateway.send('DELETE', `${repairs}/${body.id}`);
}

function killAllOf(gateways: readonly GatewayProcess[]): void {
  for (const gateway of gateways) gateway.kill('SIGKILL');
}

/** Resolves when the next message has come, before it is answered; `then` is called at that moment. */
function nextMessage(receiver: WebhookReceiver, then = () => {}): Promise<void> {
  return new Promise((resolve) => {
    receiver.onMessage = () => {
      receiver.onMessage = () => {};
      then();
      resolve();
    };
  });
}

async function positionsIn(databaseUrl: string, provider: Provider): Promise<number[]> {
  const column = provider === 'sqlite' ? '"entry"' : '"position"';
  // Entries are numbered within a second, whether or not somebody reads them.
  for (let waited = 0; ; waited += 100) {
    const rows = await rowsOf(databaseUrl, `SELECT ${column} AS position FROM "JournalEntry"`);
    if (rows.every(({ position }) => position !== null) || waited > 10_000)
      return rows.map(({ position }) => Number(position));
    await sleep(100);
  }
}
