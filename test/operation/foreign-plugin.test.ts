/** A plugin that does not know compiled operations can rely on this. */
import type { Plugin } from 'graphql-yoga';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestContext } from '../../src/change/context.js';
import { Seal } from '../../src/common/seal.js';
import { createExecution } from '../../src/gateway/execution/executor.js';
import { plugins } from '../../src/gateway/execution/resolvers.js';
import { createAdmission } from '../../src/graphql/operation/admission.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { schema } from '../support/schema.js';
import { seenByAll } from '../support/seen-by-all.js';

const gateways = new Map<string, TestGateway>();
beforeAll(async () => {
  for (const database of providers) gateways.set(database, await startGateway({ database }));
});
afterAll(() => Promise.all([...gateways.values()].map((gateway) => gateway.close())));

const query = '{ assetRepairs { totalCount nodes { id } } }';
const mutation = 'mutation ($input: CreateIndustryTypeInput!) { createIndustryType(input: $input) { record { id } } }';
const input = { industry: 'Steel' };

test.each(providers)('on %s a plugin sees every operation, also those that would be compiled', async (name) => {
  const { database } = gateways.get(name) ?? expect.fail('no gateway');
  const seen: string[] = [];
  const watching: Plugin<RequestContext> = {
    onExecute: ({ args }) => void seen.push(String(args.document.loc?.source.body)),
  };
  const admission = createAdmission(schema, { costLimit: 100_000 });
  const identity = { keyId: 'key', name: 'key', scopes: ['*'], seal: new Seal('key') };
  const nothing = () => undefined;
  const context = {
    changes: { rules: {}, observers: [], locksSubmitted: false, writers: [], journal: false },
    database: seenByAll(database),
    identity,
    requestId: 'r',
    log: { info: nothing, warn: nothing, error: nothing },
  };
  const parts = { schema, provider: database.provider, compiled: true, answerLimit: 32 * 1024 * 1024 };
  const operations = [
    { query },
    { query: mutation, variables: { input } },
    { query: '{ __schema { queryType { name } } }' },
  ].map((given) => admission.fromRequest(given, true));

  const { execute: plain } = createExecution({ ...parts, plugins });
  for (const operation of operations) expect(await plain(operation, context)).not.toHaveProperty('result');
  const { execute: watched } = createExecution({ ...parts, plugins: [...plugins, watching] });
  for (const operation of operations) expect(await watched(operation, context)).toHaveProperty('result');
  expect(seen).toEqual([query, mutation, '{ __schema { queryType { name } } }']);
});
