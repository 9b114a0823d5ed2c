import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { type GatewayProcess, startProcess } from '../support/process.js';

const databases = databaseInTurn(import.meta.filename);

const base = '/api/assets/asset-repair';
const API_KEY = 'a-key-that-is-long-enough';
const day = 24 * 60 * 60 * 1000;

/** Code that Node runs first in a process, to set its clock back by a day. */
const clockSetBack = `
  const now = Date.now;
  globalThis.Date = class extends Date {
    constructor(...given) { super(...(given.length > 0 ? given : [now() - ${day}])); }
    static now() { return now() - ${day}; }
  };`;

describe.each(databases)('on %s, a gateway restarted with its clock set back a day', (provider) => {
  let restarted: GatewayProcess;
  let client: Client;
  let before: Repair[];
  let after: Repair[];

  beforeAll(async () => {
    const first = await startGateway({ database: provider, env: { API_KEY } });
    client = new Client(first.url);
    before = await repairs(3);
    await first.close();

    const DATABASE_URL = first.config.databaseUrl;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(clockSetBack)}`;
    restarted = startProcess({ API_KEY, DATABASE_URL, NODE_OPTIONS });
    client = new Client(await restarted.ready());
    after = await repairs(3);
  });

  afterAll(async () => {
    restarted.child.kill('SIGKILL');
    await restarted.ended;
  });

  const send = (method: string, path: string, body?: object) =>
    client.send(method, path, body, { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' });

  async function repairs(count: number): Promise<Repair[]> {
    const made: Repair[] = [];
    for (let index = 0; index < count; index++) {
      made.push((await send('POST', base, { asset: `Press ${index}`, failure_date: '2026-01-31' })).body);
    }
    return made;
  }

  test('still lists newest created first', async () => {
    const listed: { data: Repair[] } = (await send('GET', base)).body;
    expect(listed.data.map(({ id }) => id)).toEqual([...before, ...after].map(({ id }) => id).reverse());
  });

  test('dates records by the clock, and says in the log that it was ahead before', () => {
    for (const { created_at } of after) {
      expect(Math.abs(Date.now() - day - Date.parse(created_at))).toBeLessThan(day / 2);
    }
    expect(restarted.log()).toMatch(/The newest id is ahead of the clock/);
  });

  test('keeps the order of the journal, and the times of each document', async () => {
    const [first] = before;
    const { status, body: changed } = await send('PATCH', `${base}/${first?.id}`, { description: 'Again' });
    expect(status, JSON.stringify(changed)).toBe(200);
    expect(changed.updated_at).toBe(first?.updated_at);
    const query = '{ changes(first: 50) { nodes { recordId at } } }';
    const { body } = await send('POST', '/graphql', { query });
    const nodes: { recordId: string; at: string }[] = body.data.changes.nodes;
    expect(nodes.map(({ recordId }) => recordId)).toEqual([...before, ...after, changed].map(({ id }) => id));
    expect(nodes.at(-1)?.at).toBe(changed.updated_at);
  });

  test('dates no change before the creation of what it changes', async () => {
    const { body } = await send('PATCH', `${base}/${after[0]?.id}`, { description: 'Again' });
    expect(body.updated_at >= body.created_at).toBe(true);
  });
});

interface Repair {
  id: string;
  created_at: string;
  updated_at: string;
}
