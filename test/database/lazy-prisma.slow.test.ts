/**
 * Prisma's query compiler takes a tenth of the start and tens of megabytes, so it is loaded only when needed. Tested in
 * a separate process, because in one process Prisma loads it once for all clients.
 */
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../support/client.js';
import { databaseInTurn, freshDatabaseUrl } from '../support/database.js';
import { startProcess } from '../support/process.js';

const API_KEY = 'a-key-that-is-long-enough';
const base = '/api/crm/industry-type';

/** Code that Node runs first in a process, to report WebAssembly that is loaded. */
const telling = `
  const { Module } = WebAssembly;
  WebAssembly.Module = class extends Module {
    constructor(...given) { super(...given); process.stderr.write('WebAssembly loaded\\n'); }
  };`;

test.each(databaseInTurn(import.meta.filename))(
  'on %s, neither a start nor compiled operations load it; resolvers do',
  async (provider) => {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(telling)}`;
    const gateway = startProcess({ API_KEY, NODE_OPTIONS, DATABASE_URL: await freshDatabaseUrl(provider) });
    onTestFinished(async () => {
      gateway.child.kill('SIGKILL');
      await gateway.ended;
    });
    const client = new Client(await gateway.ready());
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
    const send = (method: string, path: string, body?: object) => client.send(method, path, body, headers);

    const { status, body } = await send('POST', base, { industry: 'Steel' });
    expect(status).toBe(201);
    expect((await send('PATCH', `${base}/${body.id}`, { industry: 'Wood' })).status).toBe(200);
    expect((await send('GET', base)).body.total).toBe(1);
    expect((await send('GET', '/readyz')).status).toBe(200);
    expect(gateway.log()).not.toContain('WebAssembly loaded');

    const resolved = await send('POST', '/graphql', { query: '{ quotations { nodes { displayTitle } } }' });
    expect(resolved.body.errors).toBeUndefined();
    await expect.poll(() => gateway.log()).toContain('WebAssembly loaded');
  },
);
