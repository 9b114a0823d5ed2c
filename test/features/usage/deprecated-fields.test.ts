/** Deprecated parts of the GraphQL schema: which key still uses which. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withAccess } from '../../../src/graphql/answered-by-sql.js';
import type { Builder } from '../../../src/graphql/builder.js';
import { createSchema } from '../../../src/graphql/create-schema.js';
import { callerWith } from '../../access/keys.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';
import { serving } from '../../support/schema.js';

/** A schema with a deprecated field, argument, field of an input and value of an enum. */
const schema = createSchema({
  resources,
  features: [...serving, { schema: paint }],
});

function paint(builder: Builder): void {
  const input = builder.inputType('PaintInput', {
    fields: (t) => ({ shade: t.string(), tint: t.string({ deprecationReason: 'Use shade.' }) }),
  });
  const gloss = builder.enumType('Gloss', {
    values: { MATT: {}, SHINY: { deprecationReason: 'Use MATT.' } } as const,
  });
  builder.queryField('oldPaint', (t) =>
    t.string({
      nullable: true,
      ...withAccess({ scope: 'crm:read' }),
      deprecationReason: 'Use paint.',
      resolve: () => 'red',
    }),
  );
  builder.queryField('paint', (t) =>
    t.string({
      nullable: true,
      ...withAccess({ scope: 'crm:read' }),
      args: {
        inputs: t.arg({ type: [input] }),
        gloss: t.arg({ type: gloss }),
        coats: t.arg.int({ deprecationReason: 'One is enough.' }),
      },
      resolve: () => 'red',
    }),
  );
}

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database, schema });
  });
  afterAll(() => gateway.close());

  const usedBy = async (query: string, variables?: Record<string, unknown>, headers?: Record<string, string>) => {
    const caller = await callerWith(gateway, 'crm:read');
    const { status, body } = await caller.graphql(query, variables, headers);
    expect([status, body.errors]).toEqual([200, undefined]);
    await gateway.settle();
    const asked = `query ($keyId: ID) { apiUses(keyId: $keyId, surface: GRAPHQL, onlyDeprecated: true) {
      name calls callable { replacement isDeprecated } } }`;
    return (await gateway.graphql(asked, { keyId: caller.id })).body.data.apiUses;
  };

  test.each<[what: string, query: string, variables: Record<string, unknown> | undefined, used: string[]]>([
    ['nothing', '{ paint(gloss: MATT, inputs: [{ shade: "x" }]) }', undefined, []],
    ['a field', '{ oldPaint }', undefined, ['Query.oldPaint']],
    [
      'a field under an alias, in fragments',
      'query { ...A } fragment A on Query { ... { x: oldPaint } }',
      undefined,
      ['Query.oldPaint'],
    ],
    ['an argument', '{ paint(coats: 2) }', undefined, ['Query.paint(coats:)']],
    ['an argument by a variable', 'query ($n: Int) { paint(coats: $n) }', { n: 1 }, ['Query.paint(coats:)']],
    ['a field of an input', '{ paint(inputs: [{ tint: "x" }]) }', undefined, ['PaintInput.tint']],
    [
      'a field of an input in a variable',
      'query ($i: [PaintInput!]) { paint(inputs: $i) }',
      { i: [{ shade: 'x' }, { tint: 'x' }] },
      ['PaintInput.tint'],
    ],
    [
      'one in a variable of one for a list',
      'query ($i: [PaintInput!]) { paint(inputs: $i) }',
      { i: { tint: 'x' } },
      ['PaintInput.tint'],
    ],
    ['a value', '{ paint(gloss: SHINY) }', undefined, ['Gloss.SHINY']],
    ['a value in a variable', 'query ($g: Gloss) { paint(gloss: $g) }', { g: 'SHINY' }, ['Gloss.SHINY']],
    ['a value as a default', 'query ($g: Gloss = SHINY) { paint(gloss: $g) }', {}, ['Gloss.SHINY']],
  ])('is noted of %s', async (_, query, variables, used) => {
    const found = await usedBy(query, variables);
    expect(found.map(({ name }: { name: string }) => name)).toEqual(used);
    for (const { calls, callable } of found) {
      expect(calls).toBe(1);
      expect(callable).toMatchObject({ isDeprecated: true, replacement: expect.stringMatching(/^(Use|One)/) });
    }
  });

  test('only of the operation that is performed', async () => {
    const caller = await callerWith(gateway, 'crm:read');
    const query = 'query A { paint } query B { oldPaint }';
    const send = (operationName: string) => caller.rest('POST', '/graphql', { query, operationName });
    expect((await send('A')).status).toBe(200);
    await gateway.settle();
    const asked = 'query ($keyId: ID) { apiUses(keyId: $keyId) { name calls } }';
    const told = async () => (await gateway.graphql(asked, { keyId: caller.id })).body.data.apiUses;
    expect(await told()).toEqual([]);
    await send('B');
    await send('B');
    await gateway.settle();
    expect(await told()).toEqual([{ name: 'Query.oldPaint', calls: 2 }]);
  });

  test('what nobody uses is listed too', async () => {
    const { body } = await gateway.graphql('{ apiDeprecations { callable { name surface } keys calls lastAt } }');
    expect(body.data.apiDeprecations).toContainEqual({
      callable: { name: 'Query.paint(coats:)', surface: 'GRAPHQL' },
      keys: expect.any(Number),
      calls: expect.any(Number),
      lastAt: expect.anything(),
    });
    expect(body.data.apiDeprecations).toHaveLength(4);
  });

  test('an operation that the selection of a webhook makes counts for the key of the webhook', async () => {
    const caller = await callerWith(gateway, 'crm:read');
    const identity = { keyId: caller.id, name: 'a test', scopes: ['crm:read'] };
    await gateway.readPayload(
      'query ($id: ID!) { record: node(id: $id) { id } oldPaint }',
      'industry-type_1',
      identity,
    );
    await gateway.settle();
    const asked = 'query ($keyId: ID) { apiUses(keyId: $keyId) { name userAgents { userAgent } } }';
    expect((await gateway.graphql(asked, { keyId: caller.id })).body.data.apiUses).toEqual([
      { name: 'Query.oldPaint', userAgents: [{ userAgent: 'webhook' }] },
    ]);
  });
});
