/** Prisma's query compiler, which takes a tenth of the start and tens of megabytes, is loaded by whoever needs it. */
import { afterEach, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway } from '../support/gateway.js';

const { Module } = WebAssembly;
afterEach(() => {
  WebAssembly.Module = Module;
});

test.each(providers)('on %s, neither a start nor compiled operations load it; resolvers do', async (database) => {
  let loaded = 0;
  WebAssembly.Module = class extends Module {
    constructor(...given: ConstructorParameters<typeof Module>) {
      super(...given);
      loaded++;
    }
  };
  const gateway = await startGateway({ database });
  const base = '/api/crm/industry-type';
  const { status, body } = await gateway.rest('POST', base, { industry: 'Steel' });
  expect(status).toBe(201);
  expect((await gateway.rest('PATCH', `${base}/${body.id}`, { industry: 'Wood' })).status).toBe(200);
  expect((await gateway.rest('GET', base)).body.total).toBe(1);
  expect((await gateway.rest('GET', '/readyz')).status).toBe(200);
  expect(loaded).toBe(0);

  const resolved = await gateway.graphql('{ quotations { nodes { displayTitle } } }');
  expect(resolved.body.errors).toBeUndefined();
  expect(loaded).toBe(1);
  await gateway.close();
});
