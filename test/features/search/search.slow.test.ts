/** Lists are searched by the words of documents and their lines, which are indexed with every kind of write. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspect } from '../../../src/database/inspection.js';
import { repair } from '../../../src/features/check/check-database.js';
import { searchIndex } from '../../../src/features/search/check-index.js';
import { indexExisting } from '../../../src/features/search/index/index-existing.js';
import { turnSearchOff, turnSearchOn } from '../../../src/features/search/search-state.js';
import { isSearched, searchedFields } from '../../../src/features/search/searched-fields.js';
import { features } from '../../../src/features.js';
import { indexedWords, mostWords, wordsOf } from '../../../src/model/words.js';
import { ask, refusal } from '../../graphql/ask.js';
import { statementsOf } from '../../graphql/statements.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';

interface Repair {
  description: string;
  items: string[];
}

const list = `query ($search: String, $where: AssetRepairFilter, $orderBy: [AssetRepairSort!], $first: Int, $after: String, $last: Int, $before: String, $offset: Int) {
  found: assetRepairs(search: $search, where: $where, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before, offset: $offset) {
    totalCount nodes { description } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

/** The points of a document for each word of the search; undefined if a word is missing. */
function rankOf({ description, items }: Repair, words: readonly string[]): number | undefined {
  const own = indexedWords([description, 'x']);
  const lines = items.map((item) => indexedWords([item, 'y']));
  const ranks = words.map((word) => {
    const rank = (among: string[], more: number) =>
      among.includes(word) ? 2 + more : among.some((each) => each.startsWith(word)) ? 1 + more : 0;
    return Math.max(rank(own, 2), ...lines.map((line) => rank(line, 0)));
  });
  return ranks.includes(0) ? undefined : ranks.reduce((sum, rank) => sum + rank, 0);
}

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database, env: { SEARCH: 'true' } });
  });
  afterAll(() => gateway.close());

  const input = ({ description, items }: Repair) => ({
    asset: 'x',
    failureDate: '2026-01-31',
    description,
    consumedItems: items.map((itemCode) => ({ itemCode, warehouse: 'y' })),
  });
  const create = async (repair: Repair): Promise<{ id: string; consumedItems: { id: string }[] }> =>
    (
      await ask(
        gateway,
        'mutation ($input: CreateAssetRepairInput!) { created: createAssetRepair(input: $input) { record { id consumedItems { id } } } }',
        { input: input(repair) },
      )
    ).created.record;
  const found = async (search: string, more: object = {}): Promise<string[]> =>
    (await ask(gateway, list, { search, ...more })).found.nodes.map((node: Repair) => node.description);
  /** What `records check` finds wrong with the index. */
  const problems = () => inspect(gateway.config.databaseUrl, false, (each) => searchIndex.problems(each, resources));
  const clear = async () => {
    const { assetRepairs } = await ask(gateway, '{ assetRepairs(first: 1000) { nodes { id } } }');
    for (const { id } of assetRepairs.nodes) await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
  };

  test.each([
    ['LATHE-7 runs hot', 'lathe', true],
    ['LATHE-7 runs hot', 'LATHE-7', true],
    ['LATHE-7 runs hot', 'hot lat', true],
    ['LATHE-7 runs hot', 'athe', false],
    ['LATHE-7 runs hot', 'lathe cold', false],
    ['Sägewerk', 'säge', true],
    ['Sägewerk', 'sage', true],
    ['Sa\u0308gewerk', 'säge', true],
    ['Straße', 'STRASSE', true],
    ['HAUPTSTRAẞE', 'Hauptstraße', true],
    ['⚠️Danger', 'danger', true],
    ['Danger', '⚠️ danger', true],
    ['İstanbul', 'istanbul', true],
    ['ΣΊΣΥΦΟΣ', 'σισυφος', true],
    ['\u{10400}\u{10401}', '\u{10428}', true],
    ['東京都', '京', true],
    ['公司', '司公', false],
    ['中国石油化工股份有限公司', '中国石油化工股份有限公司', true],
    ['中国石油化工股份有限公司', '化工股份', true],
    ['中国石油化工股份有限公司', '石油 公司', true],
    ['中国石油化工股份有限公司', '中国公司', false],
    ['株式会社ABC123', 'abc123', true],
    ['株式会社ABC123', '会社ABC', true],
    ['株式会社ABC123', 'BC123', false],
    ['東京のサーバーデータ', 'ｻｰﾊﾞｰ', true],
    ['東京のサーバーデータ', 'バサー', false],
    ['\u{20000}\u{20001}\u{20002}', '\u{20001}\u{20002}', true],
    ['\u{20000}\u{20001}\u{20002}', '\u{20002}\u{20001}', false],
    ['บริษัทปูนซิเมนต์ไทย', 'ปูนซิเมนต์', true],
    ['บริษัทปูน\u200bซิเมนต์ไทย', 'ซิเมนต์ไทย', true],
    ['บริษัทปูน\u200bซิเมนต์ไทย', 'ปูนซิเมนต์', true],
    ['中\u2060国', '中国', true],
    // Outside of such runs it divides words: an index of an earlier version is not made anew for it.
    ['Donau\u00addampf', 'dampf', true],
    ['Donau\u00addampf', 'Donaudampf', false],
    ['中国\u200bdampf', 'dampf', true],
    ['ນະຄອນຫຼວງວຽງຈັນ', 'ວຽງຈັນ', true],
    ['រាជធានីភ្នំពេញ', 'ភ្នំពេញ', true],
    ['ရန်ကုန်မြို့', 'မြို့', true],
    ['한국전력공사', '한국', true],
    ['한국전력공사', '전력', false],
    ['a\'b"c\\d%e_f', 'c', true],
    ['2026-01-31', '2026', false],
  ])('%s, sought by %s: %s', async (description, search, isFound) => {
    await create({ description, items: [] });
    expect(await found(search)).toEqual(isFound ? [description] : []);
    await clear();
  });

  test('words of the document count more than those of its lines, and whole words more than beginnings', async () => {
    await create({ description: 'line', items: ['belt'] });
    await create({ description: 'belts', items: [] });
    await create({ description: 'belt', items: [] });
    await create({ description: 'line of beginning', items: ['belts'] });
    expect(await found('belt')).toEqual(['belt', 'belts', 'line', 'line of beginning']);
    expect(await found('belt line')).toEqual(['line', 'line of beginning']);
    await clear();
  });

  test('at random, by page, filter and order, as a model finds them', { timeout: 120_000 }, async () => {
    const word = fc.constantFrom(
      'belt',
      'belts',
      'lathe',
      'LATHE-7',
      'Säge',
      'sage',
      '7',
      '70',
      'oil',
      'straße',
      '東京',
      '東京都',
      '京都',
      '都',
    );
    const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
    const repairs = fc
      .sample(fc.record({ description: text, items: fc.array(text, { maxLength: 3 }) }), { numRuns: 40, seed: 11 })
      .map(({ description, items }, index): Repair => ({ description: `${description} n${index}`, items }));
    for (const repair of repairs) await create(repair);
    expect(await problems()).toEqual([]);
    const sought = fc.sample(fc.array(word, { minLength: 1, maxLength: 3 }), { numRuns: 40, seed: 5 });
    for (const words of sought) {
      const search = words.join(' ');
      const ranked = repairs
        .map((repair, index) => ({ repair, index, rank: rankOf(repair, wordsOf(search, mostWords)) }))
        .filter(({ rank }) => rank !== undefined)
        .sort((one, other) => (other.rank ?? 0) - (one.rank ?? 0) || other.index - one.index)
        .map(({ repair }) => repair.description);
      expect(await found(search, { first: 1000 }), search).toEqual(ranked);
      // Page by page from either end.
      const pages: string[] = [];
      for (let after: string | null = null; ; ) {
        const page: { totalCount: number; nodes: Repair[]; pageInfo: Record<string, string | boolean | null> } = (
          await ask(gateway, list, { search, first: 3, after })
        ).found;
        expect(page.totalCount).toBe(ranked.length);
        expect(page.pageInfo.hasPreviousPage).toBe(after !== null && ranked.length > 0);
        pages.push(...page.nodes.map(({ description }) => description));
        expect(page.pageInfo.hasNextPage).toBe(pages.length < ranked.length);
        if (!page.pageInfo.hasNextPage) break;
        after = String(page.pageInfo.endCursor);
      }
      expect(pages).toEqual(ranked);
      expect(await found(search, { last: 2 })).toEqual(ranked.slice(-2));
      expect(await found(search, { first: 2, offset: 1 })).toEqual(ranked.slice(1, 3));
      const where = { description: { contains: '1' } };
      expect(await found(search, { where, first: 1000 })).toEqual(ranked.filter((each) => each.includes('1')));
      const orderBy = [{ field: 'DESCRIPTION' }];
      const sorted = [...ranked].sort((one, other) => (one < other ? -1 : 1));
      expect(await found(search, { orderBy, first: 1000 })).toEqual(sorted);
    }
    await clear();
    expect(await problems()).toEqual([]);
  });

  test('every kind of write keeps the index', async () => {
    const { id, consumedItems } = await create({ description: 'one', items: ['belt', 'oil'] });
    const path = `/api/assets/asset-repair/${id}`;
    const lines = '/api/assets/asset-repair-consumed-item';
    const checked = async (search: string, more: string[] = []) => {
      expect(await problems()).toEqual([]);
      expect(await found(search)).toEqual(more);
    };
    await checked('oil', ['one']);
    await gateway.rest('PATCH', path, { description: 'two' });
    await checked('one');
    await checked('two', ['two']);
    await gateway.rest('PATCH', `${lines}/${consumedItems[1]?.id}`, { item_code: 'grease' });
    await checked('oil');
    await checked('grease', ['two']);
    await gateway.rest('POST', lines, {
      parent_id: id,
      asset_repair_id: id,
      item_code: 'seal',
      warehouse: 'y',
      idx: 1,
    });
    await gateway.rest('DELETE', `${lines}/${consumedItems[0]?.id}`);
    await checked('belt');
    const save = `mutation ($id: ID!, $input: SaveAssetRepairInput!) { saveAssetRepair(id: $id, input: $input) { record { id } } }`;
    await ask(gateway, save, { id, input: { consumedItems: [{ itemCode: 'nut', warehouse: 'z' }] } });
    await checked('grease');
    await checked('nut z', ['two']);
    const dry = `mutation ($id: ID!, $input: SaveAssetRepairInput!) { saveAssetRepair(id: $id, input: $input, validateOnly: true) { changes { fields } } }`;
    await ask(gateway, dry, { id, input: { description: 'never' } });
    await checked('never');
    const many =
      'mutation ($inputs: [CreateAssetRepairInput!]!) { made: createManyAssetRepairs(inputs: $inputs) { records { id } } }';
    const { made } = await ask(gateway, many, {
      inputs: [input({ description: 'three', items: ['pin'] }), input({ description: 'four', items: [] })],
    });
    await checked('pin', ['three']);
    const updates = made.records.map((each: { id: string }) => ({ id: each.id, input: { description: 'five' } }));
    const update =
      'mutation ($updates: [UpdateManyAssetRepairsItem!]!) { updateManyAssetRepairs(updates: $updates) { records { id } } }';
    await ask(gateway, update, { updates });
    await checked('five', ['five', 'five']);
    await gateway.rest('POST', `${path}/submit`);
    await checked('two', ['two']);
    const remove = 'mutation ($ids: [ID!]!) { deleteManyAssetRepairs(ids: $ids) { deletedIds } }';
    await ask(gateway, remove, { ids: [...made.records.map((each: { id: string }) => each.id), id] });
    await checked('nut');
    const rows = await gateway.database.client.$queryRaw<object[]>`SELECT * FROM "SearchText"`;
    expect(rows).toEqual([]);
  });

  test('a page takes a look at the state, one search and one read, and its total one more', async () => {
    const page = '{ assetRepairs(search: "belt lathe") { nodes { description } } }';
    expect(await statementsOf(gateway, page)).toHaveLength(3);
    expect(await statementsOf(gateway, page.replace('nodes', 'totalCount nodes'))).toHaveLength(4);
  });

  test('a document of many words and lines is indexed and deleted in parts', { timeout: 60_000 }, async () => {
    const description = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');
    const items = Array.from({ length: 1_100 }, (_, index) => `part-${index}`);
    const { id } = await create({ description, items });
    expect(await problems()).toEqual([]);
    expect(await found('word199 1099')).toEqual([description]);
    expect(await found('word200')).toEqual([]);
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    expect(await problems()).toEqual([]);
    expect(await gateway.database.client.$queryRaw`SELECT "id" FROM "SearchText"`).toEqual([]);
  });

  test('a text without words returns the whole list; too many words are refused', async () => {
    await create({ description: 'all', items: [] });
    expect(await found(' — ')).toEqual(['all']);
    const { extensions } = await refusal(gateway, list, { search: 'a b c d e f g h i' });
    expect(extensions.errors).toMatchObject([{ param: 'search', message: expect.stringContaining('at most 8 words') }]);
    const long = await refusal(gateway, list, { search: 'a'.repeat(201) });
    expect(long.extensions.errors).toMatchObject([{ message: expect.stringContaining('at most 200 characters') }]);
    await clear();
  });

  test('records from before are indexed in the background, and searched when all are', async () => {
    await gateway.database.perform(turnSearchOff);
    const off = await refusal(gateway, list, { search: 'old' });
    expect(off.extensions.errors).toMatchObject([{ param: 'search', message: expect.stringContaining('SEARCH=true') }]);
    const { id } = await create({ description: 'old', items: ['older'] });
    await gateway.database.client.$executeRaw`DELETE FROM "SearchText" WHERE "documentId" = ${id}`;
    await gateway.database.perform(() => turnSearchOn(resources.filter(isSearched)));
    expect((await refusal(gateway, list, { search: 'old' })).extensions).toMatchObject({ reason: 'busy' });
    await indexExisting(gateway.database, resources);
    expect(await found('older')).toEqual(['old']);
    expect(await problems()).toEqual([]);
    await gateway.database.client.$executeRaw`UPDATE "SearchText" SET "words" = '["new"]' WHERE "documentId" = ${id}`;
    expect(await problems()).toHaveLength(2);
    await repair(gateway.config.databaseUrl, features);
    expect(await problems()).toEqual([]);
    expect(await found('older')).toEqual(['old']);
    await clear();
  });
});

test('whoever may read a document may read its lines, whose words find it', () => {
  for (const { area, lines } of resources) expect(lines.filter(({ resource }) => resource.area !== area)).toEqual([]);
});

test('secrets, states and what names a parent are not indexed', () => {
  const indexed = resources
    .filter(({ kind }) => kind !== 'singleton')
    .map((each) => [each.model, searchedFields(each)]);
  expect(Object.fromEntries(indexed)).toMatchObject({
    AssetRepair: expect.not.arrayContaining(['status', 'repairStatus']),
  });
  const secrets = resources.flatMap((each) =>
    each.fields.filter(({ secret, name }) => secret && searchedFields(each).includes(name)),
  );
  expect(secrets).toEqual([]);
});
