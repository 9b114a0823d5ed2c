/** `search` finds records of all types by the same words as the lists, page by page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexedWords, mostWords, wordsOf } from '../../../src/model/words.js';
import { callerWith } from '../../access/keys.js';
import { ask, refusal } from '../../graphql/ask.js';
import { statementsOf } from '../../graphql/statements.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';

const search = `query ($query: String!, $types: [RecordType!], $first: Int, $after: String, $last: Int, $before: String, $offset: Int) {
  search(query: $query, types: $types, first: $first, after: $after, last: $last, before: $before, offset: $offset) {
    totalCount
    edges { cursor node { id } }
    nodes {
      __typename id createdAt
      ... on BusinessRecord { version displayTitle }
      ... on BusinessDocument { status allowedActions }
      ... on AssetRepair { asset consumedItems { itemCode } }
      ... on IndustryType { industry }
      ... on UOMCategory { categoryName }
    }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

interface Made {
  id: string;
  own: string;
  lines: string[];
}

/**
 * The points of a record for the words of the search, by the rule in docs/graphql.md; undefined if a word is missing.
 */
function rankOf({ own, lines }: Made, sought: string): number | undefined {
  const ranks = wordsOf(sought, mostWords).map((word) => {
    const rank = (words: string[], more: number) =>
      words.includes(word) ? 2 + more : words.some((each) => each.startsWith(word)) ? 1 + more : 0;
    return Math.max(rank(indexedWords([own]), 2), ...lines.map((line) => rank(indexedWords([line]), 0)));
  });
  return ranks.includes(0) ? undefined : ranks.reduce((sum, rank) => sum + rank, 0);
}

const texts = [
  'lathe',
  'LATHE-7 belt',
  'Lathes',
  'belt',
  'belts of a lathe',
  'Säge',
  'sage lathe',
  '東京 lathe',
  'oil',
  '',
];

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  const made: Made[] = [];

  beforeAll(async () => {
    gateway = await startGateway({ database, env: { SEARCH: 'true' } });
    // Types alternate, so that the newest of equal records are not all of one type.
    for (const [index, own] of texts.entries()) {
      const line = texts[(index * 3 + 1) % texts.length] || 'x';
      made.push(await repair(own, [line, 'y']), await industryType(own), await category(own));
    }
  });
  afterAll(() => gateway.close());

  async function repair(own: string, lines: string[]): Promise<Made> {
    const consumedItems = lines.map((itemCode) => ({ itemCode, warehouse: 'w' }));
    const input = { asset: own, failureDate: '2026-01-31', consumedItems };
    return { id: await idOf('AssetRepair', input), own, lines };
  }
  const industryType = async (own: string): Promise<Made> => ({
    id: await idOf('IndustryType', { industry: own }),
    ...{ own, lines: [] },
  });
  const category = async (own: string): Promise<Made> => ({
    id: await idOf('UOMCategory', { categoryName: own }),
    ...{ own, lines: [] },
  });
  async function idOf(type: string, input: object): Promise<string> {
    const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { record { id } } }`;
    return (await ask(gateway, query, { input })).made.record.id;
  }
  const find = async (query: string, more: object = {}) => (await ask(gateway, search, { query, ...more })).search;
  const idsOf = ({ nodes }: { nodes: { id: string }[] }): string[] => nodes.map(({ id }) => id);
  /** All records that a search finds, the best first and equal ones newest first. */
  const expected = (sought: string, among: readonly Made[] = made): string[] =>
    among
      .map((each, index) => ({ id: each.id, rank: rankOf(each, sought) ?? 0, index }))
      .filter(({ rank }) => rank > 0)
      .sort((one, other) => other.rank - one.rank || other.index - one.index)
      .map(({ id }) => id);

  test.each(['lathe', 'LATHE', 'belt lathe', 'sage', 'säge', 'l', '7', '京', 'nothing-such', 'a\'b"%_\\'])(
    'finds by %s what a model finds, in its order, page by page from either end',
    async (sought) => {
      const all = expected(sought);
      const page = await find(sought, { first: 1000 });
      expect(idsOf(page)).toEqual(all);
      expect(page.totalCount).toBe(all.length);
      expect(page.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(all);
      for (const [size, cursor] of [
        ['first', 'after'],
        ['last', 'before'],
      ] as const) {
        const pages: string[][] = [];
        for (let at: string | null = null; ; ) {
          const { nodes, pageInfo } = await find(sought, { [size]: 4, [cursor]: at });
          pages.push(idsOf({ nodes }));
          const forwards = size === 'first';
          expect(forwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(at !== null && all.length > 0);
          if (!(forwards ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break;
          at = forwards ? pageInfo.endCursor : pageInfo.startCursor;
        }
        expect((size === 'first' ? pages : pages.reverse()).flat()).toEqual(all);
      }
      expect(idsOf(await find(sought, { first: 2, offset: 1 }))).toEqual(all.slice(1, 3));
      const ofTwo = made.filter(({ id }) => !id.startsWith('u-o-m-category'));
      const types = ['ASSET_REPAIR', 'INDUSTRY_TYPE', 'ASSET_REPAIR'];
      expect(idsOf(await find(sought, { first: 1000, types }))).toEqual(expected(sought, ofTwo));
    },
  );

  test('answers with what the records share, with what documents share, and with what only some have', async () => {
    const { nodes } = await find('belts', { first: 3 });
    expect(nodes).toEqual([
      expect.objectContaining({ __typename: 'UOMCategory', categoryName: 'belts of a lathe', version: 1 }),
      expect.objectContaining({ __typename: 'IndustryType', industry: 'belts of a lathe', version: 1 }),
      expect.objectContaining({ __typename: 'AssetRepair', status: 'DRAFT', allowedActions: ['SUBMIT'] }),
    ]);
    expect(nodes[0]).not.toHaveProperty('status');
    expect(nodes.map(({ displayTitle }: { displayTitle: string }) => displayTitle)).toEqual([
      'belts of a lathe',
      'belts of a lathe',
      'belts of a lathe',
    ]);
  });

  test('a cursor stays where it is when records come and go, also its own', async () => {
    const all = expected('lathe');
    const { pageInfo } = await find('lathe', { first: 3 });
    const added = await repair('lathe', []);
    const gone = await industryType('lathe');
    const { pageInfo: ofNewest } = await find('lathe', { first: 1 });
    await ask(gateway, 'mutation ($id: ID!) { deleteIndustryType(id: $id) { deletedId } }', { id: gone.id });
    expect(idsOf(await find('lathe', { first: 1000, after: pageInfo.endCursor }))).toEqual(all.slice(3));
    expect(idsOf(await find('lathe', { first: 2, after: ofNewest.endCursor }))).toEqual([added.id, all[0]]);
    await ask(gateway, 'mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id: added.id });
    expect(idsOf(await find('lathe', { first: 1000 }))).toEqual(all);
  });

  test('is answered alike in whatever form it is asked', async () => {
    const part = '{ totalCount nodes { id ... on AssetRepair { asset } } pageInfo { endCursor } }';
    const forms: [string, object?][] = [
      [`query ($q: String!, $n: Int) { search(query: $q, first: $n) ${part} }`, { q: 'lathe', n: 5 }],
      [`{ search(query: "lathe", first: 5) ${part} }`],
      [`{ search(query: "lathe", first: 5) @include(if: true) ${part} other: search(query: "oil") { totalCount } }`],
      [`query ($q: String = "lathe") { ...F } fragment F on Query { search(query: $q, first: 5) ${part} }`],
    ];
    for (const [query, variables] of forms) {
      const { other, ...answer } = await ask(gateway, query, { ...variables });
      expect(idsOf(answer.search)).toEqual(expected('lathe').slice(0, 5));
      expect(answer).toEqual(await ask(gateway, forms[0]?.[0] ?? '', { q: 'lathe', n: 5 }));
      if (other) expect(other.totalCount).toBe(expected('oil').length);
    }
  });

  test('finds nothing for a text without words, and for no types', async () => {
    const none = { startCursor: null, endCursor: null, hasNextPage: false, hasPreviousPage: false };
    for (const query of ['', ' ', '—!?', '😀'])
      expect(await find(query)).toEqual({ totalCount: 0, edges: [], nodes: [], pageInfo: none });
    expect(idsOf(await find('lathe', { types: [] }))).toEqual([]);
    expect(await find('lathe', { first: 0 })).toMatchObject({ totalCount: expected('lathe').length, nodes: [] });
  });

  test.each([
    ['more characters', { query: 'x'.repeat(501) }, 'query', 'at most 200 characters'],
    ['more words', { query: 'a b c d e f g h i' }, 'query', 'at most 8 words'],
    ['a page that is too large', { query: 'a', first: 1001 }, 'first', '1000'],
    ['an offset from the end', { query: 'a', last: 1, offset: 1 }, 'offset', 'cannot be combined'],
    ['a cursor of nothing', { query: 'a', after: 'x' }, 'after', 'must be a cursor'],
    ['lines', { query: 'a', types: ['ASSET_REPAIR_CONSUMED_ITEM'] }, 'types', 'a line is found as its document'],
    ['a singleton', { query: 'a', types: ['SUBSCRIPTION_SETTINGS'] }, 'types', 'only one record'],
  ])('refuses %s', async (_, variables, param, message) => {
    expect((await refusal(gateway, search, variables)).extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ param, message: expect.stringContaining(message) }],
    });
  });

  test('refuses the cursor of a list, and a list refuses its', async () => {
    const list = `query ($after: String) { assetRepairs(search: "lathe", first: 1, after: $after) { pageInfo { endCursor } } }`;
    const { assetRepairs } = await ask(gateway, list);
    const after = (await find('lathe', { first: 1 })).pageInfo.endCursor;
    expect((await refusal(gateway, list, { after })).extensions.code).toBe('BAD_USER_INPUT');
    const ofList = { query: 'lathe', after: assetRepairs.pageInfo.endCursor };
    expect((await refusal(gateway, search, ofList)).extensions.code).toBe('BAD_USER_INPUT');
  });

  test('refuses the cursor of a search for other words, whose ranks say nothing of its own; so does a list', async () => {
    const after = (await find('lathe', { first: 1 })).pageInfo.endCursor;
    for (const query of ['belt', 'lathe belt', ''])
      expect((await refusal(gateway, search, { query, after })).extensions.errors[0].param, query).toBe('after');
    expect(idsOf(await find(' LATHE lathe', { after }))).toEqual(
      idsOf(await find('lathe', { first: 1000 })).slice(1, 21),
    );
    const list =
      'query ($search: String, $after: String) { assetRepairs(search: $search, first: 1, after: $after) { pageInfo { endCursor } } }';
    const { assetRepairs } = await ask(gateway, list, { search: 'belt lathe' });
    const ofList = { search: 'lathe', after: assetRepairs.pageInfo.endCursor };
    expect((await refusal(gateway, list, ofList)).extensions.errors[0].param).toBe('after');
    await ask(gateway, list, { ...ofList, search: 'lathe BELT' });
  });

  test('refuses a cursor with the hash of a long text, which no record of several types could be asked for', async () => {
    const { endCursor } = (await find('lathe', { first: 1 })).pageInfo;
    const [order, rank, , id] = JSON.parse(Buffer.from(endCursor, 'base64url').toString());
    for (const newest of [{ sha256: 'x' }, { sha256: '' }]) {
      const after = Buffer.from(JSON.stringify([order, rank, newest, id])).toString('base64url');
      expect((await refusal(gateway, search, { query: 'lathe', after })).extensions.errors[0].param).toBe('after');
    }
  });

  test('leaves out types that the key may not read, and refuses those that are named', async () => {
    const asked = async (scopes: string[], variables: object) => {
      const caller = await callerWith(gateway, ...scopes);
      return (await caller.graphql(search, { query: 'lathe', first: 1000, ...variables })).body;
    };
    const assets = made.filter(({ id }) => id.startsWith('asset-repair'));
    const { data } = await asked(['assets:read'], {});
    expect(idsOf(data.search)).toEqual(expected('lathe', assets));
    expect(data.search.totalCount).toBe(expected('lathe', assets).length);
    const named = await asked(['assets:read'], { types: ['ASSET_REPAIR', 'INDUSTRY_TYPE'] });
    expect(named.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['crm:read'] });
    const line = await asked(['crm:read'], { types: ['ASSET_REPAIR_CONSUMED_ITEM'] });
    expect(line.errors[0].extensions.code).toBe('FORBIDDEN');
    const none = await asked(['assets:write'], {});
    expect(none.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  test('takes a look at the state, one search, and one read for each type on the page, however long it is', async () => {
    const query = 'query ($first: Int) { search(query: "lathe", first: $first) { nodes { id version } } }';
    const [short, long] = [await statementsOf(gateway, query, { first: 3 }), await statementsOf(gateway, query)];
    expect(short).toHaveLength(2 + 3);
    expect(long).toHaveLength(2 + 3);
    const total = 'query { search(query: "lathe", first: 0) { totalCount } }';
    expect(await statementsOf(gateway, total)).toHaveLength(2);
  });
});
