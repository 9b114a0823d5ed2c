/** The operations of all endpoints, as a gateway serves them, are the trusted documents of another. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { restEndpoints } from '../support/rest-operations.js';

describe('a gateway with the operations of REST as its trusted documents', () => {
  let gateway: TestGateway;
  let operations: Record<string, string>;
  beforeAll(async () => {
    const other = await startGateway();
    const { text } = await other.rest('GET', '/operations.json');
    await other.close();
    operations = JSON.parse(text);
    const file = join(freshFolder(), 'operations.json');
    writeFileSync(file, text);
    gateway = await startGateway({ env: { TRUSTED_DOCUMENTS: file } });
  });
  afterAll(() => gateway.close());

  const perform = (body: object) => gateway.rest('POST', '/graphql', body);

  test('has that of every endpoint', () => {
    const names = Object.keys(operations).filter((name) => !/(OnlyId|AsOf)$/.test(name));
    expect(names).toEqual(restEndpoints.map(({ name }) => name));
  });

  test('performs them by their hashes and their texts, and nothing else', async () => {
    const input = { industry: 'Steel' };
    const text = operations.IndustryTypeCreate ?? '';
    const sha256Hash = createHash('sha256').update(text).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    const byHash = await perform({ extensions, variables: { input } });
    expect(byHash.body).toMatchObject({ data: { record: { record: { industry: 'Steel' } } } });
    const byText = await perform({ query: operations.IndustryTypeList, variables: { limit: 1 } });
    expect(byText.body.data.page.total).toBe(1);
    expect((await perform({ query: '{ industryTypes { totalCount } }' })).body.errors[0].extensions.code).toBe(
      'FORBIDDEN',
    );
  });

  test('executes the operations that it explains, also for a key that may not read', async () => {
    const writer = await callerWith(gateway, 'crm:write');
    for (const caller of [gateway, writer]) {
      const { body } = await caller.rest('POST', '/api/crm/industry-type?_explain=graphql', { industry: 'Wood' });
      const { document: query, variables } = body.explanation;
      const answer = await caller.graphql(query, variables);
      expect(answer.body).toMatchObject({ data: { record: { record: { id: expect.any(String) } } } });
    }
  });

  test('serves REST, and shows its schema to nobody', async () => {
    expect((await gateway.rest('GET', '/api/crm/industry-type')).status).toBe(200);
    expect((await gateway.rest('GET', '/openapi.json')).status).toBe(200);
    expect((await gateway.rest('GET', '/schema.graphql')).status).toBe(404);
  });
});
