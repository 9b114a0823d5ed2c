/** What the metrics of a gateway process say, compared with what is known to be so. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Provider } from '../../../src/database/migrations/migration-history.js';
import { Client } from '../../support/client.js';
import { databaseInTurn, freshDatabaseUrl } from '../../support/database.js';
import { startProcess } from '../../support/process.js';
import { commitsInLog } from '../../support/sqlite.js';
import { Sqlite } from '../../support/sqlite-library.js';
import { waitingForLock } from '../../support/waiting-for-lock.js';
import { createWebhook, webhookSettings } from '../webhooks/deliverer.js';
import { startReceiver } from '../webhooks/receiver.js';

const API_KEY = 'a-key-that-is-long-enough';
const path = '/api/crm/industry-type';

/** A gateway as a process of its own, and its metrics as they are served. */
async function measured(provider: Provider, settings: Record<string, string> = {}) {
  const DATABASE_URL = await freshDatabaseUrl(provider);
  const process = startProcess({ API_KEY, METRICS_PORT: '0', ...settings, DATABASE_URL });
  onTestFinished(async () => {
    process.child.kill('SIGKILL');
    await process.ended;
  });
  const url = await process.ready();
  const port = /Metrics {3}(http:\S+)/.exec(process.output())?.[1] ?? '';
  const client = new Client(url);
  onTestFinished(() => client.close());
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  /** Repeated while the gateway is busy, as it may be beside other work of the machine. */
  const rest = async (method: string, to: string, body?: unknown) => {
    for (;;) {
      const answer = await client.send(method, to, body, headers);
      if (answer.status !== 503) return answer;
      await sleep(50);
    }
  };
  const graphql = (query: string, variables = {}) => rest('POST', '/graphql', { query, variables });
  /** The values of series now, each by its name and labels as they are served; undefined where there is none. */
  const values = async (...series: string[]) => {
    // What was read is served again for a second.
    await sleep(1_010);
    const lines = (await (await fetch(port)).text()).split('\n');
    const served = new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
    return series.map((name) => served.get(name));
  };
  return { process, url, databaseUrl: DATABASE_URL, rest, graphql, values };
}

type Measured = Awaited<ReturnType<typeof measured>>;

/** Creates so many records, with one request for each at the same time. */
async function creating(count: number, { rest }: Pick<Measured, 'rest'>): Promise<void> {
  const create = (industry: string) => rest('POST', path, { industry });
  const answers = await Promise.all(Array.from({ length: count }, (_, number) => create(`no. ${number}`)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
}

interface Unread {
  status: number | undefined;
  length: number;
  leave(): void;
}

/** The beginning of the answer to a query of `graphql`, whose client does not read on. */
function unread({ url }: Pick<Measured, 'url'>, query: string): Promise<Unread> {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const asked = request(`${url}/graphql`, { method: 'POST', headers, agent: false });
  asked.end(JSON.stringify({ query }));
  return new Promise((resolve, reject) => {
    asked.once('error', reject).once('response', (response) => {
      const { statusCode: status, headers: answered } = response.pause();
      const leave = () =>
        void asked
          .off('error', reject)
          .on('error', () => {})
          .destroy();
      resolve({ status, length: Number(answered['content-length']), leave });
    });
  });
}

const waiting = 'records_database_waiting';

test('on sqlite: the writes that wait for a lock, then the commits, and the writes that share them', async () => {
  const gateway = await measured('sqlite');
  const file = gateway.databaseUrl.slice('file:'.length);
  const holder = new Sqlite(file);
  onTestFinished(() => void holder.close());
  const commits = ['records_commits_total', 'records_committed_units_total'];
  await creating(1, gateway);
  const used = holder.prepare('SELECT count("lastUsedAt") FROM "ApiKey"').pluck();
  await expect.poll(() => used.get()).toBe(1);
  const burst = async () => {
    holder.exec('BEGIN IMMEDIATE');
    const [inLog, before] = [commitsInLog(file), await gateway.values(...commits)];
    const created = creating(12, gateway);
    await expect.poll(() => gateway.values(waiting)).toEqual([12]);
    expect(await gateway.values(...commits)).toEqual(before);
    holder.exec('ROLLBACK');
    await created;
    const [left, ...after] = await gateway.values(waiting, ...commits);
    const [groups, units] = after.map((value, index) => Number(value) - Number(before[index]));
    return { left, units, isShared: Number(groups) < 12, isEachInLog: groups === commitsInLog(file) - inLog };
  };
  // Again if something else was written meanwhile, such as the use of the key.
  await expect.poll(burst).toEqual({ left: 0, units: 12, isShared: true, isEachInLog: true });
});

test('on postgresql: the connections in use, and the requests that wait for one', async () => {
  const gateway = await measured('postgresql');
  const connections = ['used', 'idle'].map((state) => `records_database_connections{state="${state}"}`);
  await creating(1, gateway);
  const holder = new pg.Client(gateway.databaseUrl);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE "IndustryType" IN ACCESS EXCLUSIVE MODE');
  const created = creating(12, gateway);
  const held = async () => {
    const [used, idle, left] = await gateway.values(...connections, waiting);
    return { used, isOpen: idle === 0 || idle === 1, left, locked: await waitingForLock(gateway.databaseUrl) };
  };
  // Of ten connections two are for pipelined reads, and one is left to other keys.
  await expect.poll(held).toEqual({ used: 7, isOpen: true, left: 5, locked: 7 });
  await holder.end();
  await created;
  const released = async () => {
    // The pool closes connections that nobody has used for some seconds.
    await creating(1, gateway);
    const [used, idle = 0, left] = await gateway.values(...connections, waiting);
    return { used, isIdle: idle > 0 && idle <= 8, left };
  };
  await expect.poll(released).toEqual({ used: 0, isIdle: true, left: 0 });
});

test.each(databaseInTurn(import.meta.filename))(
  'on %s: the attempts to deliver, by the status of the answer',
  async (provider) => {
    const gateway = await measured(provider, webhookSettings);
    const answered: Record<string, number> = { '200': 0, '500': 0, '0': 0 };
    let status = '200';
    const receiver = await startReceiver((_, response) => {
      answered[status] = Number(answered[status]) + 1;
      // A request on a connection that was used before is repeated without counting as another attempt.
      if (status === '0') response.destroy();
      else response.writeHead(Number(status), { connection: 'close' }).end();
    });
    await createWebhook(gateway, { url: receiver.url, types: ['INDUSTRY_TYPE'] });
    const attempts = Object.keys(answered).map((each) => `records_deliveries_total{status="${each}"}`);
    for (const next of ['200', '500', '0']) {
      status = next;
      await creating(1, gateway);
      // What failed is repeated later.
      const told = async () => {
        const [seconds, ...counts] = await gateway.values('records_delivery_seconds_count', ...attempts);
        const known = Object.values(answered);
        const isAll = counts.every((count, index) => (count ?? 0) === known[index]);
        return isAll && seconds === known.reduce((sum, count) => sum + count) && answered[next] !== 0;
      };
      await expect.poll(told, { message: `answers ${next}` }).toBe(true);
    }
    expect(answered['200']).toBe(1);
  },
);

test.each(databaseInTurn(import.meta.filename))(
  'on %s: the bytes of large answers, until they are taken',
  async (provider) => {
    const gateway = await measured(provider);
    const { body } = await gateway.rest('POST', '/api/assets/asset-repair', {
      asset: 'A',
      failure_date: '2026-01-31',
      description: 'x'.repeat(900_000),
    });
    // The operating system takes some megabytes of each answer.
    const parts = Array.from({ length: 24 }, (_, part) => `_${part}: assetRepair(id: "${body.id}") { description }`);
    const clients: Unread[] = [];
    const outgoing = async () => {
      const [bytes] = await gateway.values('records_outgoing_bytes');
      if (bytes !== 0) return bytes;
      // The gateway closes the connections of clients that read nothing for long.
      const client = await unread(gateway, `{ ${parts.join(' ')} }`);
      if (client.status === 200) clients.push(client);
      else client.leave();
      return bytes;
    };
    await expect.poll(() => gateway.values('records_outgoing_bytes')).toEqual([0]);
    const isOne = async () => (await outgoing()) === clients[0]?.length;
    await expect.poll(isOne).toBe(true);
    expect(clients[0]?.length).toBeGreaterThan(24 * 900_000);
    for (const client of clients) client.leave();
    await expect.poll(() => gateway.values('records_outgoing_bytes')).toEqual([0]);
  },
);

test('the delay of the event loop, of a process that is held again and again', async () => {
  const gateway = await measured('sqlite');
  const held = 0.4;
  const delay = async () => Number((await gateway.values('nodejs_eventloop_lag_p99_seconds'))[0]);
  await expect.poll(delay).toBeLessThan(held / 2);
  let longest = 0;
  const whenHeld = async () => {
    const begun = performance.now();
    for (let times = 0; times < 5; times++) {
      gateway.process.child.kill('SIGSTOP');
      await sleep(held * 1000);
      gateway.process.child.kill('SIGCONT');
      await sleep(20);
    }
    longest = (performance.now() - begun) / 1000;
    return delay();
  };
  await expect.poll(whenHeld).toSatisfy((found) => found > held * 0.9 && found < longest);
  await expect.poll(delay).toBeLessThan(held / 2);
});
