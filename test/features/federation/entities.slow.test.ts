/** `_entities` answers as `nodes` does: by SQL and by the resolvers alike, within the same limits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/features/keys/api-keys.js';
import { ofPrisma } from '../../compiled/random-record.js';
import { refusal } from '../../graphql/ask.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { fillStatement, recordId } from '../../support/many-records.js';
import { resourceOf } from '../../support/resources.js';
import { federated } from './subgraph.js';

const repair = resourceOf('AssetRepair');
const line = resourceOf('AssetRepairConsumedItem');
const asRepair = (id: unknown) => ({ __typename: 'AssetRepair', id });
const asLine = (id: unknown) => ({ __typename: 'AssetRepairConsumedItem', id });
const repairs = Array.from({ length: 1000 }, (_, index) => asRepair(recordId(repair, index + 1)));
const [first, second] = [recordId(repair, 1), recordId(repair, 2)];

const entities = (selection: string) =>
  `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${selection} } }`;

describe.each(providers)('on %s', (database) => {
  let compiled: TestGateway;
  let resolved: TestGateway;
  beforeAll(async () => {
    compiled = await startGateway({ database, schema: federated });
    for (const each of [repair, line])
      await compiled.database.client.$executeRawUnsafe(fillStatement(database, each, 1000));
    const env = { DATABASE_URL: compiled.config.databaseUrl };
    resolved = await startGateway({ database, env, compiled: false, schema: federated });
  });
  afterAll(() => Promise.all([resolved.close(), compiled.close()]));

  const query = entities(`__typename
    ... on AssetRepair { id asset repairCost consumedItems(limit: 2) { idx } }
    ... on AssetRepairConsumedItem { itemCode assetRepair { id } }
    ... on SubscriptionSettings { gracePeriod }`);
  const since = (gateway: TestGateway, length: number) =>
    gateway.statements.slice(length).filter((sql) => !sql.includes('ApiKey'));

  test.each<[string, unknown]>([
    ['none', []],
    [
      'two types, doubles, and some that are not there',
      [asRepair(second), asLine(recordId(line, 7)), asRepair('x'), asRepair(second)],
    ],
    ['a thousand', repairs],
    [
      'an id of another type, beside the record itself',
      [asLine(first), asRepair(first), asRepair(recordId(line, 1)), asLine('')],
    ],
    ['a singleton', [{ __typename: 'SubscriptionSettings', id: 'subscription-settings_default' }]],
    ['members that are not asked for', [{ ...asRepair(first), asset: 'mine', nested: { asset: [1] } }]],
    ['one that is no list', asRepair(first)],
  ])('answers %s as the resolvers do', async (_what, representations) => {
    const [ours, theirs] = await Promise.all(
      [compiled, resolved].map((gateway) => gateway.graphql(query, { representations })),
    );
    expect(ours?.body.errors).toBeUndefined();
    expect(ours?.text).toBe(theirs?.text);
  });

  test.each<[string, unknown]>([
    ['one too many', [...repairs, asRepair('one more')]],
    ['another type', [asRepair(first), { __typename: 'AssetRepairs', id: first }]],
    ['a type that is no record', [{ __typename: 'PageInfo', id: first }]],
    ['a name that every object has', [{ __typename: 'constructor', id: first }]],
    ['the name of a prototype', [{ __typename: '__proto__', id: first }]],
    ['no type', [{ id: first }]],
    ['no id', [{ __typename: 'AssetRepair' }]],
    ['an id that is null', [asRepair(null)]],
    ['an id that is a number', [asRepair(7)]],
    ['an id that is a list', [asRepair([first])]],
    ['an odd text', [asRepair('asset-repair_\u0000')]],
    ['half of a surrogate pair', [asRepair('asset-repair_\ud800')]],
    ['null', [null]],
    ['texts', [first]],
    ['lists', [[asRepair(first)]]],
    ['nothing', null],
  ])('refuses %s on both ways, before anything is read', async (_what, representations) => {
    for (const gateway of [compiled, resolved]) {
      const before = gateway.statements.length;
      expect((await refusal(gateway, query, { representations })).extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        errors: [{ code: 'parameter_invalid', param: expect.stringMatching(/^representations/) }],
      });
      expect(since(gateway, before)).toEqual([]);
    }
  });

  test('keeps the order, returns a record as often as it is asked for, and null for an unknown one', async () => {
    const asked = [
      asRepair(second),
      asRepair('asset-repair_none'),
      asLine(recordId(line, 1)),
      asRepair(first),
      asRepair(second),
    ];
    const shown = entities('__typename ... on Node { id }');
    for (const gateway of [compiled, resolved]) {
      const { body } = await gateway.graphql(shown, { representations: asked });
      expect(body.data._entities).toEqual([asked[0], null, asked[2], asked[3], asked[4]]);
    }
  });

  test('finds no record by the name of another type', async () => {
    const asked = [asRepair(first), asLine(first), asRepair(recordId(line, 1))];
    for (const gateway of [compiled, resolved]) {
      const { body } = await gateway.graphql(entities('... on Node { id }'), { representations: asked });
      expect(body.data._entities).toEqual([{ id: first }, null, null]);
    }
  });

  test.each([
    ['as variables', query, (it: string) => it],
    [
      'fragments on the union and on interfaces',
      entities('... on _Entity { ...Parts }'),
      (it: string) =>
        `${it} fragment Parts on _Entity { __typename ... on BusinessRecord { version } ... on BusinessDocument { status ... on AssetRepair { asset } } }`,
    ],
    ['with a directive', query, (it: string) => it.replace('asset ', 'asset @include(if: true) ')],
    [
      'by what only resolvers answer',
      query,
      (it: string) => it.replace('asset ', 'asset displayTitle actions { action } '),
    ],
  ])('gives the same answer %s', async (_how, text, changed) => {
    const representations = [
      asRepair(first),
      asLine(recordId(line, 2)),
      asRepair(second),
      asRepair('asset-repair_none'),
    ];
    const answers = await Promise.all(
      [compiled, resolved].map((gateway) => gateway.graphql(changed(text), { representations })),
    );
    expect(answers[0]?.body.errors).toBeUndefined();
    expect(answers[0]?.body.data._entities.map((each: object | null) => each === null)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  test('takes representations in the text, but no variables within them', async () => {
    const written = `{ _entities(representations: [{ __typename: "AssetRepair", id: "${first}" }]) { ... on AssetRepair { id } } }`;
    for (const gateway of [compiled, resolved]) {
      expect((await gateway.graphql(written)).body).toEqual({ data: { _entities: [{ id: first }] } });
      const within =
        'query ($id: ID!) { _entities(representations: [{ __typename: "AssetRepair", id: $id }]) { __typename } }';
      expect(await refusal(gateway, within, { id: first })).toMatchObject({
        message: expect.stringContaining('have no variable within it'),
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
    }
  });

  test('says which representation is wrong, and what it should be', async () => {
    const representations = [
      asRepair(first),
      { __typename: 'AssetRepairs', id: first },
      { __typename: 'AssetRepair' },
      { id: first },
      'text',
    ];
    const { status, body } = await compiled.graphql(
      query,
      { representations },
      { accept: 'application/graphql-response+json' },
    );
    expect(status).toBe(400);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [
        [1, 'must have the name of a record type as `__typename`; did you mean `AssetRepair`?'],
        [2, 'must have the id of the Asset Repair as `id`, a string'],
        [3, 'must have the name of a record type as `__typename`'],
        [4, 'must be an object with `__typename` and `id`, not a string'],
      ].map(([index, message]) => ({
        param: `representations[${index}]`,
        code: 'parameter_invalid',
        message: expect.stringContaining(String(message)),
      })),
    });
  });

  test('takes one statement for each type, compiled', async () => {
    const representations = [...repairs.slice(0, 500), asLine(recordId(line, 1)), asLine(recordId(line, 2))];
    const before = compiled.statements.length;
    await compiled.graphql(query, { representations });
    const ran = since(compiled, before);
    expect(ran).toHaveLength(2);
    expect(ofPrisma(ran)).toEqual([]);
    const { length } = resolved.statements;
    await resolved.graphql(entities('... on Node { id }'), { representations });
    expect(since(resolved, length)).toHaveLength(2);
    const behind = resolved.statements.length;
    await resolved.graphql(entities('... on _Entity { ... on AssetRepair { asset } }'), { representations });
    expect(since(resolved, behind)).toHaveLength(2);
  });

  test('needs the scope of each type, and returns the records that may be read', async () => {
    const { secret } = await createKey(compiled.database, { name: 'projects', scopes: ['projects:read'] });
    const headers = { authorization: `Bearer ${secret}` };
    // If another key had sent the operation before, its types would be known already.
    const unseen = entities('... on AssetRepair { id version } ... on Timesheet { id }');
    const timesheet = { __typename: 'Timesheet', id: 'timesheet_none' };
    for (const gateway of [compiled, resolved]) {
      const before = gateway.statements.length;
      const { body } = await gateway.graphql(
        unseen,
        { representations: [timesheet, asRepair(first), asRepair('none')] },
        headers,
      );
      expect(body.data._entities).toEqual([null, null, null]);
      expect(
        body.errors.map(({ path, extensions }: { path: unknown; extensions: { code: string } }) => [
          path,
          extensions.code,
        ]),
      ).toEqual([
        [['_entities', 1], 'FORBIDDEN'],
        [['_entities', 2], 'FORBIDDEN'],
      ]);
      expect(since(gateway, before).filter((sql) => sql.includes('AssetRepair'))).toEqual([]);
    }
  });

  test('costs what its representations cost, and is refused beyond the limit', async () => {
    const representations = [asRepair(first), asRepair(second)];
    const { body } = await compiled.graphql(
      entities('... on AssetRepair { id asset consumedItems(limit: 5) { idx } }'),
      { representations },
      { 'x-graphql-cost': '1' },
    );
    expect(body.extensions.cost.requested).toBe(1 + 2 * (1 + 1 + 1 + 5));
    const wide = entities('... on AssetRepair { consumedItems(limit: 100) { idx } }');
    expect(await refusal(compiled, wide, { representations: repairs })).toMatchObject({
      extensions: { code: 'QUERY_TOO_COMPLEX', measure: 'cost' },
    });
  });

  test('does not exist without FEDERATION=true', async () => {
    const plain = await startGateway({ database, env: { DATABASE_URL: compiled.config.databaseUrl } });
    const { extensions } = await refusal(plain, '{ _service { sdl } }');
    expect(extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
    await plain.close();
  });
});
