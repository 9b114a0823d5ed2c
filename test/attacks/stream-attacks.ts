/** Attacks on the limits of streams and webhooks. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, workers } from '../faults/fault.js';
import type { GatewayProcess } from '../faults/gateway-process.js';
import { anything, atLeast, below, exactly } from '../faults/report.js';
import { webhookSettings } from '../faults/telling.js';
import { WebhookReceiver } from '../faults/webhook-receiver.js';
import { repairId } from './datasets.js';
import { attackSeconds, exhaustionAttack } from './exhaustion-attack.js';
import { type OpenStream, openStream } from './open-stream.js';

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const repairs = '/api/assets/asset-repair';

/** Changes a record with a text of 1 MB, ten times a second; returns how often it was done. */
async function change(gateway: GatewayProcess, milliseconds: number, clients = 1): Promise<number> {
  const until = performance.now() + milliseconds;
  let done = 0;
  await workers(clients, async (client) => {
    const { status } = await gateway.send('PATCH', `${repairs}/${repairId(10 + client)}`, {
      project: `${Math.random()}`,
    });
    if (status === 200) done++;
    await sleep(100);
    return performance.now() < until && gateway.isRunning;
  });
  return done;
}

const documents = (selection: string) =>
  `subscription { assetRepairChanged { position notice record { ... on AssetRepair { ${selection} } } } }`;
const closeAll = (streams: readonly OpenStream[]) => {
  for (const stream of streams) stream.close();
};

const stalled = exhaustionAttack(
  { title: '60 streams that read nothing of events of 4 MB, each another', dataset: 'texts' },
  {
    async run(gateway, report) {
      const query = (index: number) => documents(times(4, (part) => `a${index}x${part}: description`));
      const streams = await Promise.all(
        Array.from({ length: 60 }, (_, index) => openStream(gateway, { query: query(index), reads: false })),
      );
      await change(gateway, attackSeconds * 1000);
      report.figure('streams that began', streams.filter(({ status }) => status === 200).length, exactly(60));
      closeAll(streams);
    },
  },
);

const slow = exhaustionAttack(
  { title: '500 streams that read nothing of events of 1 MB', dataset: 'texts', graceSeconds: 90 },
  {
    async run(gateway, report) {
      const request = { query: documents('description'), reads: false };
      const streams = await Promise.all(Array.from({ length: 500 }, () => openStream(gateway, request)));
      const reader = await openStream(gateway, { query: 'subscription { changes { position } }' });
      const made = await change(gateway, attackSeconds * 1000);
      // The first event says that the stream is open.
      const received = () => reader.text.split('event: next').length - 2;
      for (let waited = 0; received() < made && waited < 10_000; waited += 100) await sleep(100);
      report.figure('changes made meanwhile', made, atLeast(1));
      report.figure('of them received by a client that reads', received(), exactly(made));
      closeAll([...streams, reader]);
    },
  },
);

const comingAndGoing = exhaustionAttack(
  { title: '10,000 streams that come and go', dataset: 'texts', env: { STREAMS_PER_KEY: '100' }, graceSeconds: 240 },
  {
    async run(gateway, report) {
      let begun = 0;
      let refused = 0;
      let other = 0;
      const query = 'subscription { changes { position record { id } } }';
      await workers(32, async (client) => {
        const stream = await openStream(gateway, { query }).catch(() => undefined);
        begun++;
        if (stream?.status === 429) refused++;
        else if (stream?.status !== 200) other++;
        if (client % 2 === 0) await sleep(1);
        stream?.close();
        if (begun % 500 === 0) await gateway.send('PATCH', `${repairs}/${repairId(10)}`, { project: `${begun}` });
        return begun < 10_000 && gateway.isRunning;
      });
      await sleep(500);
      const streams = await Promise.all(Array.from({ length: 100 }, () => openStream(gateway, { query })));
      const beyond = await openStream(gateway, { query });
      await sleep(200);
      report.figure('streams that began and ended', begun, atLeast(10_000));
      report.figure('refused meanwhile, as one too many', refused, anything);
      report.figure('answered otherwise', other, exactly(0));
      const open = streams.filter(({ status }) => status === 200).length;
      report.figure('streams that all places are free for afterwards', open, exactly(100));
      report.holds(
        'one more is refused with its limit',
        beyond.status === 429 && beyond.text.includes('100'),
        beyond.text,
      );
      closeAll([...streams, beyond]);
    },
  },
);

const forged = [-1, 1.5, 1e300, 2 ** 53, 999_999_999, -0.1];
const forgedIds = ['-1', 'abc', '1e3', '99999999999999999999', '1.5', "0'; DROP TABLE"];
const forgedPositions = exhaustionAttack(
  { title: 'forged positions of streams', dataset: 'texts' },
  {
    async run(gateway, report) {
      const query = 'subscription ($after: String) { changes(after: $after) { position notice } }';
      const others: string[] = [];
      let count = 0;
      const until = performance.now() + attackSeconds * 1000;
      await workers(8, async () => {
        const index = count++;
        const after = forged[index % forged.length];
        const id = forgedIds[index % forgedIds.length] ?? '';
        const requests = [
          { query, variables: { after: String(after) } },
          { path: `/api/events?after=${after}` },
          { path: '/api/events', headers: { 'last-event-id': id } },
        ];
        for (const request of requests) {
          const stream = await openStream(gateway, request).catch(() => undefined);
          for (let waited = 0; stream?.isOpen && !stream.text.includes('\n\n') && waited < 50; waited++) await sleep(5);
          const text = stream?.text ?? '';
          // A whole number may be a position from before a restore; then the stream starts over.
          if (!/after|TOO_OLD|too_old/i.test(text) || /"OPENED"|event: opened/.test(text))
            others.push(`${JSON.stringify(request)}: ${stream?.status} ${stream?.text.slice(0, 200)}`);
          stream?.close();
        }
        return performance.now() < until && gateway.isRunning;
      });
      report.figure('forged positions', 3 * count, atLeast(3 * forged.length));
      report.holds('each is refused and named, or told to begin anew', others.length === 0, others[0]);
    },
  },
);

const costly = exhaustionAttack(
  { title: '100 streams at the limit of cost, each another', dataset: 'rows' },
  {
    async run(gateway, report) {
      const lines = (index: number) =>
        `consumedItems(limit: 1000) { b${index}: id itemCode assetRepair { consumedItems(limit: 45) { id } } }`;
      const streams = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          openStream(gateway, { query: documents(`a${index}: id ${lines(index)}`) }),
        ),
      );
      await change(gateway, attackSeconds * 1000, 4);
      const statuses = new Set(streams.map(({ status, text }) => `${status} ${/"code":"\w+"/.exec(text)?.[0] ?? ''}`));
      report.holds(
        `answers: ${[...statuses]}`,
        streams.every(({ status }) => status === 200 || status === 400),
      );
      closeAll(streams);
    },
  },
);

const hanging = exhaustionAttack(
  {
    title: '99 webhooks to receivers that hang, beside one that does not',
    dataset: 'texts',
    env: webhookSettings,
    graceSeconds: 90,
  },
  {
    async run(gateway, report) {
      const server = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const create = 'mutation ($input: CreateWebhookInput!) { it: createWebhook(input: $input) { webhook { id } } }';
      const ids: string[] = [];
      const webhook = async (url: string, selection?: string) => {
        const { it } = await gateway.graphql(create, { input: { name: 'hanging', url, selection } });
        ids.push(it.webhook.id);
      };
      for (let index = 0; index < 99; index++) {
        await webhook(`http://127.0.0.1:${port}/${index}`, '{ ... on AssetRepair { asset project } }');
      }
      const receiver = await WebhookReceiver.start('good');
      await webhook(receiver.url);
      await change(gateway, attackSeconds * 1000, 4);
      const at = performance.now();
      const { body } = await gateway.send('POST', '/api/stock/u-o-m-category', { category_name: 'last' });
      const isDelivered = () => [...receiver.accepted.values()].some(({ document }) => document === body.id);
      while (!isDelivered() && performance.now() - at < 20_000) await sleep(50);
      report.figure('delivered to the good one after', (performance.now() - at) / 1000, below(5, ' s'), ' s');
      for (const id of ids)
        await gateway.graphql('mutation ($id: ID!) { deleteWebhook(id: $id) { webhook { id } } }', { id });
      receiver.close();
      server.close();
    },
  },
);

export const streamAttacks: Fault[] = [stalled, slow, comingAndGoing, forgedPositions, costly, hanging].flat();
