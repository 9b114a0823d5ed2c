/** Creates without Prisma do the same as the resolvers: the same answer, and the same stored columns. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../src/gateway/gateway.js';
import { createServer } from '../../src/gateway/http/server.js';
import { providers, shareOf } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { api } from '../support/rest-operations.js';
import { schema } from '../support/schema.js';
import { seed } from '../support/seed.js';
import { runs } from '../support/thorough.js';
import { inputOf, ofPrisma, selection, stored, withoutIds } from './random-record.js';

const creatable = resources.filter(({ kind }) => kind === 'resource');

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  let referenceUrl: string;
  let closeReference: () => void;

  beforeAll(async () => {
    gateway = await startGateway({ database });
    const log = pino({ level: 'silent' });
    const { app } = createGateway({
      schema,
      api,
      database: gateway.database,
      config: gateway.config,
      log,
      compiled: false,
      isLate: () => false,
    });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    referenceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    closeReference = () => server.close();
  });
  afterAll(async () => {
    closeReference();
    await gateway.close();
  });

  test.each(shareOf(database, creatable).map((resource) => [resource.model, resource] as const))(
    '%s',
    async (model, resource) => {
      const inputs = fc.sample(inputOf(resource), { seed, numRuns: runs(2, 20) });
      const query = `mutation ($input: Create${model}Input!) { record: create${model}(input: $input) { record { id ${selection(resource)} } } }`;
      for (const input of inputs) {
        const before = gateway.statements.length;
        const ours = await ask(gateway.url, query, { input });
        expect(ofPrisma(gateway.statements.slice(before))).toEqual([]);
        const theirs = await ask(referenceUrl, query, { input });
        expect(withoutIds(ours)).toEqual(withoutIds(theirs));
        expect(Object.keys(ours.data.record.record)).toEqual(Object.keys(theirs.data.record.record));
        const [one, other] = [
          await stored(gateway, resource, ours.data.record.record.id),
          await stored(gateway, resource, theirs.data.record.record.id),
        ];
        expect(withoutIds(one)).toEqual(withoutIds(other));
      }
    },
  );

  async function ask(url: string, query: string, variables: object) {
    const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  }
});
