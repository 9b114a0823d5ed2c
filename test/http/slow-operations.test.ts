/** The log entries of slow operations, on both databases. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { OpenedDatabase } from '../../src/database/open-database.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

/** A database that takes at least 20 ms for a read, and a few milliseconds for a change. */
function slowed(real: OpenedDatabase): OpenedDatabase {
  const read: OpenedDatabase['read'] = async (sql, ...others) => {
    if (sql.includes('"AssetRepair"') && !sql.startsWith('EXPLAIN')) await sleep(20);
    return (await real.read?.(sql, ...others)) ?? [];
  };
  const perform: OpenedDatabase['perform'] = async (begin) => {
    await sleep(20);
    return real.perform(begin);
  };
  const changed = new Map<string | symbol, unknown>(Object.entries({ read, perform }));
  return new Proxy(real, { get: (target, name) => changed.get(name) ?? Reflect.get(target, name) });
}

describe.each(providers)('on %s', (provider) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database: provider, altered: slowed, env: { SLOW_OPERATION: '0.01' } });
  });
  afterAll(() => gateway.close());

  const toldOf = (requestId: string) =>
    gateway.logLines
      .map((line) => JSON.parse(line))
      .filter((line) => line.requestId === requestId && line.msg === 'Slow operation');
  const ask = (requestId: string, query: string, variables: object = {}) =>
    gateway.rest('POST', '/graphql', { query, variables }, { 'x-request-id': requestId });

  test('a read: its name, way, cost, hash and plan, and no value', async () => {
    const query =
      'query Sought($text: String!) { assetRepairs(where: { asset: { contains: $text } }) { nodes { id } } }';
    await ask('slow-read', query, { text: 'canary-of-a-value' });
    await expect
      .poll(() => toldOf('slow-read'))
      .toEqual([
        {
          level: 'warn',
          time: expect.any(String),
          requestId: 'slow-read',
          operation: 'Sought',
          kind: 'query',
          way: 'sql',
          ms: expect.any(Number),
          cost: expect.any(Number),
          statementMs: expect.any(Number),
          hash: createHash('sha256').update(query).digest('hex'),
          plan: expect.arrayContaining([expect.stringMatching(provider === 'sqlite' ? /SCAN/ : /Scan/)]),
          msg: 'Slow operation',
        },
      ]);
    expect(gateway.logLines.join('')).not.toContain('canary-of-a-value');
  });

  test('no value of a literal either', async () => {
    await ask('literal', '{ assetRepairs(where: { asset: { in: ["canary-of-a-literal"] } }) { nodes { id } } }');
    await expect.poll(() => toldOf('literal')).toMatchObject([{ way: 'sql', plan: expect.any(Array) }]);
    expect(gateway.logLines.join('')).not.toContain('canary-of-a-literal');
  });

  test('a call of REST, by the name of its operation', async () => {
    await gateway.rest('GET', '/api/assets/asset-repair', undefined, { 'x-request-id': 'slow-rest' });
    await expect
      .poll(() => toldOf('slow-rest'))
      .toMatchObject([{ operation: 'AssetRepairList', way: 'sql', plan: expect.any(Array) }]);
  });

  test('a record with its lines', async () => {
    const query = 'query One($id: ID!) { assetRepair(id: $id) { id consumedItems { id } } }';
    await ask('slow-record', query, { id: 'asset-repair_0' });
    await expect.poll(() => toldOf('slow-record')).toMatchObject([{ operation: 'One', plan: expect.any(Array) }]);
  });

  test('the plan of the same read each time', async () => {
    const query = 'query Again { assetRepairs(where: { asset: { contains: "z" } }) { nodes { id } } }';
    for (const time of ['one', 'two', 'three', 'four', 'five']) {
      await ask(`slow-${time}`, query);
      await expect.poll(() => toldOf(`slow-${time}`)).toMatchObject([{ plan: expect.any(Array) }]);
    }
  });

  test('what the resolvers answer: the plan of the statement that took longest', async () => {
    const query =
      'query Resolved($text: String!) { assetRepairs(where: { asset: { contains: $text } }) { nodes { id } } apiUses { name } }';
    await ask('slow-resolved', query, { text: 'canary-of-a-condition' });
    const hash = createHash('sha256').update(query).digest('hex');
    const told = { operation: 'Resolved', way: 'resolvers', cost: expect.any(Number), hash };
    await expect
      .poll(() => toldOf('slow-resolved'))
      .toMatchObject([{ ...told, statementMs: expect.any(Number), plan: expect.any(Array) }]);
    expect(gateway.logLines.join('')).not.toContain('canary-of-a-condition');
  });

  test('what only Prisma answers', async () => {
    const resolved = await startGateway({ database: provider, compiled: false, env: { SLOW_OPERATION: '0.001' } });
    onTestFinished(() => resolved.close());
    const query =
      'query Records { assetRepairs(where: { asset: { contains: "canary-of-a-value" } }) { nodes { id } } }';
    await resolved.graphql(query);
    const slow = () => resolved.logLines.find((line) => line.includes('Slow operation'));
    await expect.poll(slow).toBeDefined();
    const { statementMs, plan } = JSON.parse(slow() ?? '');
    expect(statementMs).toEqual(expect.any(Number));
    expect(plan.join()).toContain('AssetRepair');
    expect(resolved.logLines.join('')).not.toContain('canary-of-a-value');
  });

  test('a change: the plan of a statement of it, and no value', async () => {
    const { body } = await ask(
      'slow-create',
      'mutation { createIndustryType(input: { industry: "a" }) { record { id } } }',
    );
    const { id } = body.data.createIndustryType.record;
    // One plan is made at a time.
    await expect.poll(() => toldOf('slow-create')).toHaveLength(1);
    const update =
      'mutation Update($id: ID!, $to: String!) { updateIndustryType(id: $id, input: { industry: $to }) { record { id } } }';
    await ask('slow-update', update, { id, to: 'canary-of-a-name' });
    await expect
      .poll(() => toldOf('slow-update'))
      .toMatchObject([{ operation: 'Update', kind: 'mutation', way: 'sql' }]);
    expect(toldOf('slow-update')[0].plan.join()).toMatch(
      provider === 'sqlite' ? /SEARCH (IndustryType|t0)/ : /IndustryType/,
    );
    expect(gateway.logLines.join('')).not.toContain('canary-of-a-name');
  });

  test('an operation that fails, with the code of its error', async () => {
    await ask('slow-refusal', 'mutation { deleteIndustryType(id: "industry-type_0") { deletedId } }');
    await expect.poll(() => toldOf('slow-refusal')).toMatchObject([{ errors: ['NOT_FOUND'] }]);
    expect(gateway.logLines.join('')).not.toContain('canary-of-a-name');
  });

  test('nothing of what was quick', async () => {
    // On a busy machine one or the other takes its time.
    const asked = Array.from({ length: 20 }, (_, index) => `quick-${index}`);
    for (const each of asked) await ask(each, '{ __typename }');
    expect(asked.filter((each) => toldOf(each).length === 0)).not.toEqual([]);
  });
});
