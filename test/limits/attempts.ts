/** Requests of a given size, by the limit that they test. */
import type { Answer, TestGateway } from '../support/gateway.js';

/** The answer to a request of a size. */
export type Attempt = (size: number) => Promise<Answer>;

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const times = (count: number, text: (index: number) => string): string => many(count, text).join(' ');

/** Attempts at the limits of `docs/limits.md` that one request can break, by the names they have there. */
export function attemptsAt(gateway: TestGateway): Record<string, Attempt> {
  const { rest, graphql } = gateway;
  const path = '/api/crm/industry-type';
  const repair = { failureDate: '2026-01-31', asset: 'PRESS-1' };
  const newRepair = async (): Promise<string> => {
    const query =
      'mutation ($repair: CreateAssetRepairInput!) { made: createAssetRepair(input: $repair) { record { id } } }';
    return (await graphql(query, { repair })).body.data.made.record.id;
  };
  const newKey = (name: string) =>
    graphql(`mutation ($name: String!) { made: createApiKey(input: { name: $name, scopes: "*" }) { apiKey { id } } }`, {
      name,
    });
  const where = (filter: object) =>
    graphql('query ($where: AssetRepairFilter) { assetRepairs(where: $where) { nodes { id } } }', { where: filter });

  return {
    body: (size) => {
      const body = JSON.stringify({ industry: '' });
      return rest('POST', path, body.replace('""', `"${'x'.repeat(size - body.length)}"`));
    },
    'nesting of a JSON body': (size) =>
      rest('POST', path, `{"industry": ${'['.repeat(size - 1)}${']'.repeat(size - 1)}}`),
    '`Idempotency-Key`': (size) => rest('POST', path, { industry: 'x' }, { 'idempotency-key': 'k'.repeat(size) }),

    '`lines`': (size) => graphql(`${'#\n'.repeat(size - 1)}{ __typename }`),
    '`tokens`': (size) => {
      // Operations of five tokens each, of which one is performed.
      const left = '__typename '.repeat(size % 5);
      const operations = times(Math.floor(size / 5), (index) => `query Q${index} { ${index ? '' : left} __typename }`);
      return rest('POST', '/graphql', { query: operations, operationName: 'Q0' });
    },
    '`name`': (size) => graphql(`{ ${'a'.repeat(size)}: __typename }`),
    '`pairs`': (size) => {
      // As many fields of one name as the number of pairs allows, and fields of another name for the rest.
      const fields = (pairs: number) => Math.floor((1 + Math.sqrt(1 + 8 * pairs)) / 2);
      const names: string[] = [];
      for (let left = size, index = 0; left > 0; index++) {
        const count = fields(left);
        names.push(times(count, () => `a${index}: id`));
        left -= (count * (count - 1)) / 2;
      }
      return graphql(
        `{ viewer { ${names[0]?.replaceAll('a0: id', 'keyId')} ${names.slice(1).join(' ').replaceAll(': id', ': keyId')} } }`,
      );
    },
    '`brackets`': (size) => graphql(`${'{ ... '.repeat(size - 1)}{ __typename }${'}'.repeat(size - 1)}`),
    '`fragments`': (size) =>
      graphql(
        `{ ${times(size, (index) => `...F${index}`)} } ${times(size, (index) => `fragment F${index} on Query { __typename }`)}`,
      ),
    '`aliases`': (size) => graphql(`{ node(id: "x") { ${times(size, (index) => `a${index}: id`)} } }`),
    '`directives`': (size) => graphql(`{ ${times(size, (index) => `a${index}: __typename @include(if: true)`)} }`),
    '`depth`': (size) => {
      const fields = many(size - 2, (index) => (index % 2 ? 'assetRepair' : 'consumedItems(limit: 1)'));
      return graphql(`{ assetRepair(id: "x") { ${fields.join(' { ')} { id } ${' }'.repeat(size - 2)} }`);
    },
    '`root_fields`': (size) => graphql(`{ ${'__typename '.repeat(size)} }`),
    '`previews`': (size) =>
      graphql(`{ ${times(size, (index) => `a${index}: previewAction(id: "x", action: DELETE) { allowed }`)} }`),
    '`characters`': (size) => {
      // A text that is named eight times, and another for the rest; each counts 32 more.
      const length = Math.floor(size / 8) - 36;
      const rest = size - 8 * (length + 32) - 32;
      const query = `query ($id: ID!) { ${times(8, (index) => `a${index}: node(id: $id) { id }`)} b: node(id: "${'x'.repeat(rest)}") { id } }`;
      return graphql(query, { id: 'x'.repeat(length) });
    },
    '`cost`': (size) => {
      const page = (first: number, fields: number) =>
        `assetRepairs(first: ${first}) { nodes { ${times(fields, (index) => `b${index}: id`)} } }`;
      // 99,002 + 902, and single fields for the rest.
      const left = '__typename '.repeat(size - 99_904);
      return graphql(`{ one: ${page(1000, 99)} two: ${page(900, 1)} ${left} }`);
    },

    'id of a parent': (size) =>
      rest('POST', '/api/accounts/sales-invoice-payment', {
        parent_id: 'x'.repeat(size),
        parent_type: 'Sales Invoice',
        mode_of_payment: 'Cash',
      }),
    'an `integer`': (size) =>
      rest('POST', '/api/assets/asset-repair', {
        asset: 'x',
        failure_date: '2026-01-31',
        increase_in_asset_life: size,
      }),
    'lines of each kind sent with their record': (size) =>
      graphql('mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }', {
        input: { ...repair, consumedItems: many(size, () => ({ itemCode: 'x', warehouse: 'y' })) },
      }),
    'records in `createMany…`, `updateMany…`, `deleteMany…`, `actOnMany…`': (size) =>
      graphql(
        'mutation ($inputs: [CreateIndustryTypeInput!]!) { createManyIndustryTypes(inputs: $inputs) { records { id } } }',
        {
          inputs: many(size, () => ({ industry: 'x' })),
        },
      ),
    '`limit` of a REST list': (size) => rest('GET', `${path}?limit=${size}`),
    '`first`, `last` of a list': (size) =>
      graphql('query ($n: Int) { industryTypes(last: $n) { totalCount } }', { n: size }),
    '`offset`': (size) => rest('GET', `${path}?offset=${size}`),
    '`limit` of lines within their record': async (size) =>
      graphql('query ($id: ID!, $n: Int) { assetRepair(id: $id) { consumedItems(limit: $n) { id } } }', {
        id: await newRepair(),
        n: size,
      }),
    'ids in `nodes`': (size) =>
      graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: many(size, () => 'x') }),
    'ids of lines in a `reorder…`': (size) =>
      // Without a parent only the list is checked.
      graphql(
        'mutation ($ids: [ID!]) { reorderAssetRepairConsumedItems(parentId: "x", ids: $ids) @include(if: false) { records { id } } }',
        { ids: many(size, () => 'x') },
      ),
    'objects in one variable': (size) => {
      const lines = many(5, (index) => Math.floor((size - 5 + index) / 5));
      return graphql(
        'mutation ($inputs: [CreateSubcontractingInwardOrderInput!]!) { createManySubcontractingInwardOrders(inputs: $inputs) @include(if: false) { records { id } } }',
        { inputs: lines.map((count) => ({ items: many(count, () => ({})) })) },
      );
    },
    'fields in `orderBy`': (size) =>
      graphql('query ($orderBy: [AssetRepairSort!]) { assetRepairs(orderBy: $orderBy) { nodes { id } } }', {
        orderBy: enumFields.slice(0, size).map((field) => ({ field })),
      }),
    'fields in `groupBy`': (size) =>
      graphql('query ($by: [AssetRepairAggregateSort!]) { assetRepairAggregate(groupBy: $by) { groups { count } } }', {
        by: enumFields.slice(1, size + 1).map((field) => ({ field })),
      }),
    'groups of an aggregate, `first`': (size) =>
      graphql(`query ($n: Int!) { assetRepairAggregate(first: $n, groupBy: { field: ASSET }) { groups { count } } }`, {
        n: size,
      }),
    'conditions in one `and` or `or`': (size) => where({ or: many(size, () => ({})) }),
    'depth of a filter, counted in names and list positions': (size) =>
      where(many(size - 1, () => 'not').reduce<object>((inner, name) => ({ [name]: inner }), {})),
    'objects in a filter': (size) => {
      const objectsOf = (count: number) => Object.fromEntries(fields.slice(0, count - 1).map((name) => [name, {}]));
      const whole = Math.floor((size - 1) / 10);
      const left = size - 1 - whole * 10;
      return where({ and: [...many(whole, () => objectsOf(10)), ...(left > 0 ? [objectsOf(left)] : [])] });
    },
    'values in a filter': (size) =>
      where({ asset: { in: many(500, String) }, not: { company: { in: many(size - 500, String) } } }),
    'name of an API key': (size) => newKey('k'.repeat(size)),
    'time for which a rotated API key and its replacement are both valid': async (size) =>
      graphql('mutation ($id: ID!, $n: Int!) { rotateApiKey(id: $id, overlapSeconds: $n) { apiKey { id } } }', {
        id: (await newKey('rotated')).body.data.made.apiKey.id,
        n: size,
      }),
    '`limit` of `apiUses`': (size) => graphql('query ($n: Int!) { apiUses(limit: $n) { name } }', { n: size }),
  };
}

const fields = ['id', 'asset', 'assetName', 'project', 'company', 'description', 'downtime', 'costCenter', 'status'];
const enumFields = fields.map((name) => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase());
