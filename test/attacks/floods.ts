/** Floods of requests that try to exceed the limits of docs/limits.md. Each refusal must name its limit. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { cursorOf } from '../../src/query/cursor.js';
import { keysOf, newestFirst } from '../../src/query/list.js';
import { type AttackRequest, graphqlOperation, type RequestOutcome } from './attack-request.js';
import { longFields, repair, repairId } from './datasets.js';
import type { Flood } from './flood.js';

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const repairs = '/api/assets/asset-repair';
const get = (path: string): AttackRequest => ({ method: 'GET', path });
/** A number that is unique in this run, so that all documents and keys differ. */
const run = Date.now();

const tooLarge = ['answered', 'answer_too_large', 'query_too_complex', 'busy'];
const tooLong = ['answered', 'query_too_complex', 'timeout', 'busy'];
type Common = Pick<Flood, 'dataset' | 'outcomes' | 'maxMegabytes'>;
/** Floods that have these properties in common. */
const withCommon = (common: Common, floods: (Omit<Flood, keyof Common> & Partial<Common>)[]): Flood[] =>
  floods.map((flood) => ({ ...common, ...flood }));
const atLeast = (size: number) => (outcome: RequestOutcome) =>
  outcome.size < size ? `${outcome.size} bytes: ${outcome.beginning.slice(0, 100)}` : undefined;

const aliased = (count: number, id: string) =>
  `{ r: assetRepair(id: "${id}") { ${times(count, (i) => `a${i}: description`)} } }`;
const inFragments = (id: string) =>
  `{ ${times(39, (i) => `r${i}: assetRepair(id: "${id}") { ...F }`)} } fragment F on AssetRepair { ${times(100, (i) => `a${i}: description`)} }`;
const change = `mutation ($id: ID!, $input: UpdateAssetRepairInput!) {
  updateAssetRepair(id: $id, input: $input) { record { ${times(400, (i) => `a${i}: description`)} } } }`;
const changed = { id: repairId(1), input: { project: 'P' } };

const texts = withCommon({ dataset: 'texts', outcomes: tooLarge }, [
  { title: 'one text of 1 MB, 499 times', request: () => graphqlOperation(aliased(499, repairId(9))) },
  { title: 'one text of 100 kB, 3,900 times in fragments', request: () => graphqlOperation(inFragments(repairId(1))) },
  {
    title: 'one text of 100 kB, 400 times by the resolvers',
    request: () =>
      graphqlOperation(
        aliased(400, repairId(1))
          .replace('{ r:', '{ n: nodes(ids: []) { id } r:')
          .replace('a0:', 'actions { action } a0:'),
      ),
  },
  { title: 'a change that answers with 40 MB', request: () => graphqlOperation(change, changed) },
  {
    title: 'a change that answers with 40 MB, with an Idempotency-Key',
    request: (i) => graphqlOperation(change, changed, { 'idempotency-key': `large-${run}-${i}` }),
  },
  { title: 'a REST page of 1,000 with texts of 1 MB', request: () => get(`${repairs}?limit=1000`) },
  {
    title: 'a GraphQL page of 1,000 with texts of 1 MB',
    request: () => graphqlOperation('{ assetRepairs(first: 1000) { nodes { id description } } }'),
  },
  {
    title: 'a page of 1,000 with texts of 1 MB, by the resolvers',
    request: () => graphqlOperation('{ assetRepairs(first: 1000) { nodes { id description actions { action } } } }'),
  },
  {
    title: 'a page of 1,000 in the order of texts of 1 MB',
    request: () =>
      graphqlOperation('{ assetRepairs(first: 1000, orderBy: [{ field: DESCRIPTION }]) { nodes { id } } }'),
  },
  {
    title: 'cursors of a page of 1,000 in the order of texts of 1 MB',
    request: () =>
      graphqlOperation('{ assetRepairs(first: 1000, orderBy: [{ field: DESCRIPTION }]) { edges { cursor } } }'),
  },
  {
    title: 'a page of 1,000 in the order of texts of 1 MB, by the resolvers',
    request: () =>
      graphqlOperation(
        '{ assetRepairs(first: 1000, orderBy: [{ field: DESCRIPTION }]) { nodes { id actions { action } } } }',
      ),
  },
  {
    title: 'nodes of 300 texts of 1 MB',
    request: () =>
      graphqlOperation('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on AssetRepair { description } } }', {
        ids: Array.from({ length: 300 }, (_, i) => repairId(i + 1)),
      }),
  },
  {
    title: 'groups by a text of 1 MB',
    request: () =>
      graphqlOperation(
        '{ assetRepairAggregate(groupBy: [{ field: DESCRIPTION }], first: 1000) { groups { description { key } } } }',
      ),
  },
]);

export const contains = (count: number) =>
  `{ or: [${times(count, (i) => `{ description: { contains: "no such ${i}" } }`)}] }`;
const nested = (depth: number): string =>
  depth === 0 ? '{ asset: { contains: "zz" } }' : `{ consumedItems: { some: { assetRepair: ${nested(depth - 1)} } } }`;
/** Each field asks for something else, because equal fields are read only once. */
export const filtered = (count: number, where: string) => {
  const own = (i: number) => where.replaceAll('no such', `no such ${i}`);
  return `{ ${times(count, (i) => `q${i}: assetRepairs(first: 1, where: ${own(i)}) { totalCount }`)} }`;
};

const rows = withCommon({ dataset: 'rows', outcomes: tooLong }, [
  { title: '50 conditions, 20 times over 45,000 records', request: () => graphqlOperation(filtered(20, contains(50))) },
  {
    title: '50 conditions, 100 times over 45,000 records',
    request: () => graphqlOperation(filtered(100, contains(50)).replaceAll('contains: "no such ', 'contains: "')),
  },
  { title: 'one condition over 45,000 records', request: () => graphqlOperation(filtered(1, contains(1))) },
  {
    title: 'one condition, 100 times over 45,000 records',
    request: () => graphqlOperation(filtered(100, contains(1))),
  },
  { title: 'lines of repairs of lines, four deep', request: () => graphqlOperation(filtered(1, nested(4))) },
  {
    title: 'orders without an index at deep offsets',
    request: () =>
      graphqlOperation(
        `{ ${times(20, (i) => `q${i}: assetRepairs(first: 1000, offset: 44000, orderBy: [{ field: COMPANY }, { field: PROJECT }]) { nodes { id } }`)} }`,
      ),
  },
  {
    title: 'aggregates of all that can be grouped',
    request: () =>
      graphqlOperation(
        `{ ${times(50, (i) => `q${i}: assetRepairAggregate(first: 1000, groupBy: [{ field: ASSET }, { field: COMPANY }, { field: PROJECT }, { field: STATUS }]) { groups { count } }`)} }`,
      ),
  },
  { title: 'nodes, 48 times 1,000 ids that are there', request: () => nodes((index) => repairId(index + 1)) },
  {
    title: 'nodes, 48 times 1,000 ids that are not',
    request: (number) => nodes((index) => repairId(1_000_000 + number * 1000 + index)),
  },
  {
    title: 'previews, 100 in one query',
    request: () =>
      graphqlOperation(
        `{ ${times(100, (i) => `q${i}: previewAction(id: "${repairId(i + 1)}", action: DELETE) { allowed deletes { count } }`)} }`,
      ),
  },
  {
    title: 'a page of 1,000 with 20 lines each, by the resolvers',
    request: () =>
      graphqlOperation(
        '{ assetRepairs(first: 1000, orderBy: [{ field: ID }]) { nodes { id description actions { action } consumedItems { id itemCode } } } }',
      ),
  },
  {
    title: 'a page of 900 with 20 lines each in two orders, by the resolvers',
    request: () =>
      graphqlOperation(
        '{ assetRepairs(first: 900, orderBy: [{ field: ID }]) { nodes { id actions { action } a: consumedItems(orderBy: [{ field: ITEM_CODE }]) { id itemCode } b: consumedItems { id itemCode } } } }',
      ),
  },
  { title: 'a page of 1,000', request: () => get(`${repairs}?limit=1000&offset=40000`) },
]);

function nodes(id: (index: number) => string): AttackRequest {
  const ids = Array.from({ length: 1000 }, (_, index) => id(index));
  return graphqlOperation(`query ($ids: [ID!]!) { ${times(48, (i) => `q${i}: nodes(ids: $ids) { id }`)} }`, { ids });
}

const longOrder = `orderBy: [${longFields.map((field) => `{ field: ${field.replace(/[A-Z]/g, '_$&').toUpperCase()} }`).join()}]`;
const longKeys = keysOf(
  repair,
  longFields.map((field) => ({ field, direction: 'asc', nulls: 'last' })),
  newestFirst,
);
const longCursor = cursorOf(longKeys, {
  ...Object.fromEntries(longFields.map((field) => [field, 'x'.repeat(1_000_000)])),
  id: repairId(4),
});
const pagesByCursor = (count: number, each: string) =>
  graphqlOperation(`query ($c: String) { ${times(count, (i) => `a${i}: assetRepairs(${longOrder}, ${each}`)} }`, {
    c: longCursor,
  });

const cursors = withCommon({ dataset: 'longFields', outcomes: tooLong }, [
  {
    title: 'cursors of 8 texts of 1 MB, after and before, 30 times',
    request: () =>
      pagesByCursor(30, 'first: 1, after: $c, before: $c) { nodes { id } pageInfo { hasNextPage hasPreviousPage } }'),
  },
]);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Just under 20,000 characters, unlike any other. */
const document = (index: number, field: string) =>
  `query Q${run}_${index} { r: assetRepair(id: "${repairId(3)}") { ${times(480, (i) => `alias_${String(i).padStart(20, '0')}: ${field}`)} } }`;
const persisted = (query: string): AttackRequest => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, extensions: { persistedQuery: { version: 1, sha256Hash: sha256(query) } } }),
});

const documents = withCommon({ dataset: 'texts', outcomes: [] }, [
  {
    title: 'documents of 20 kB, each another, admitted',
    request: (i) => graphqlOperation(document(i, '__typename')),
    outcomes: ['answered', 'query_too_complex'],
  },
  {
    title: 'documents of 20 kB, each another, refused',
    request: (i) => graphqlOperation(document(i, 'nope')),
    outcomes: ['GRAPHQL_VALIDATION_FAILED'],
  },
  {
    title: 'persisted texts of 1 MB that are no GraphQL',
    request: (i) => persisted(`${run} ${i} ${'x'.repeat(900_000)}`),
    outcomes: ['GRAPHQL_PARSE_FAILED', 'query_too_complex'],
  },
  {
    title: 'persisted documents of 20 kB, each another',
    request: (i) => persisted(document(i, '__typename')),
    outcomes: ['answered', 'query_too_complex'],
  },
  {
    title: 'blanks in a Content-Type',
    request: () => ({
      ...graphqlOperation('{ __typename }'),
      headers: { 'content-type': `application/json${' '.repeat(15_500)}x` },
    }),
    outcomes: ['content_type_unsupported'],
  },
  {
    title: 'keys of 16 kB and lists in headers',
    request: () => ({
      method: 'GET',
      path: `${repairs}/${repairId(3)}`,
      headers: { 'if-none-match': '"1", '.repeat(2_000), 'accept-encoding': 'x, '.repeat(1_000) },
    }),
    outcomes: ['answered'],
  },
]);

const threeMegabytes = graphqlOperation(`{ r: assetRepair(id: "${repairId(2)}") { description } }`);

const answers = withCommon({ dataset: 'texts', outcomes: [] }, [
  {
    title: 'a burst of answers of 3 MB',
    request: () => threeMegabytes,
    clients: 200,
    outcomes: ['answered', 'busy'],
    problemOf: atLeast(3_000_000),
  },
  {
    title: 'a burst of answers of 3 MB, compressed',
    request: () => ({ ...threeMegabytes, headers: { 'accept-encoding': 'gzip' } }),
    clients: 200,
    outcomes: ['answered', 'busy'],
  },
  {
    title: '200 readers that take 3 MB slowly',
    request: () => threeMegabytes,
    clients: 200,
    bytesPerSecond: 600_000,
    outcomes: ['answered', 'busy'],
    problemOf: atLeast(3_000_000),
  },
  {
    title: '200 readers that take 30 MB slowly',
    request: () => graphqlOperation(aliased(10, repairId(2))),
    clients: 200,
    bytesPerSecond: 3_000_000,
    outcomes: ['answered', 'answer_too_large', 'busy'],
  },
]);

/** Large files that are the same for everybody: the scripts of the pages, and the descriptions of both surfaces. */
const file = (index: number): AttackRequest => {
  const scripts = readdirSync(new URL('../../dist/pages', import.meta.url)).filter((name) => name.endsWith('.js'));
  const others = ['/openapi.json', '/openapi.yaml', '/schema.graphql', '/operations.json', '/pages/introspection.json'];
  const paths = [...scripts.map((name) => `/pages/${name}`), ...others];
  return get(paths[index % paths.length] ?? '/');
};

// All readers of a file share its bytes: with a copy for each it would be twice as much.
const shared = withCommon({ dataset: 'texts', outcomes: ['answered', 'busy'], maxMegabytes: 350 }, [
  {
    title: '500 readers that take files of megabytes slowly',
    request: file,
    clients: 500,
    bytesPerSecond: 400_000,
    problemOf: atLeast(50_000),
  },
  {
    title: '500 readers that take compressed files slowly',
    request: (i) => ({ ...file(i), headers: { 'accept-encoding': 'gzip' } }),
    clients: 500,
    bytesPerSecond: 60_000,
  },
]);

export const floods: readonly Flood[] = [...texts, ...rows, ...cursors, ...documents, ...answers, ...shared];
