/** A webhook whose name leads to a permitted address at the first look-up, and to loopback at the second. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../faults/fault.js';
import { startGateway } from '../faults/gateway-process.js';
import { atLeast, exactly } from '../faults/report.js';

export const rebindingWebhook: Fault = {
  title: 'attack: a webhook whose name leads to loopback from the second look-up on',
  run: async (place, report) => {
    const permitted = await listen('127.0.0.2');
    const victim = await listen('127.0.0.1', permitted.port);
    const gateway = await startGateway({
      databaseUrl: await place.database('sqlite'),
      flags: ['--import', new URL('rebinding-names.mjs', import.meta.url).href],
      env: { WEBHOOK_KEY: 'the-master-key-of-the-attacks-with-32-letters', WEBHOOK_ALLOW: '127.0.0.2' },
    });
    const create = 'mutation ($input: CreateWebhookInput!) { made: createWebhook(input: $input) { webhook { id } } }';
    const url = `https://hooks.example.com:${permitted.port}/`;
    const { made } = await gateway.graphql(create, { input: { name: 'rebinding', url } });
    await gateway.send('POST', '/api/stock/u-o-m-category', { category_name: 'x' });

    const query = 'query ($id: ID!) { webhookAttempts(id: $id) { nodes { failure } } }';
    let failures: string[] = [];
    // The second attempt comes five seconds after the first.
    for (let waited = 0; failures.length < 2 && waited < 20_000; waited += 200) {
      await sleep(200);
      const { webhookAttempts } = await gateway.graphql(query, { id: made.webhook.id });
      failures = webhookAttempts.nodes.map(({ failure }: { failure: string }) => failure).reverse();
    }
    const spellings = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'];
    let taken = 0;
    for (const host of spellings) {
      const input = { name: 'spelled', url: `https://${host}:${permitted.port}/` };
      const { body } = await gateway.send('POST', '/graphql', { query: create, variables: { input } });
      if (!body.errors) taken++;
    }
    await gateway.stop();

    report.figure('connections to the address of the first look-up', permitted.connections(), atLeast(1));
    report.holds('the second attempt is refused for its address', failures[1] === 'ADDRESS_REFUSED', failures.join());
    report.figure('connections to loopback', victim.connections(), exactly(0));
    report.figure('other spellings of loopback that were taken', taken, exactly(0));
    for (const server of [permitted, victim]) server.close();
  },
};

/** A server that ends every connection, and counts them. */
async function listen(host: string, port = 0) {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined).destroy();
  }).listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => server.close(),
  };
}
