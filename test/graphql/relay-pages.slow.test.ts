/**
 * Pages are those of Relay's cursor specification: the 21 cases that its reference implementation tests, and those with `first`
 * and `last`. Where the specification leaves a flag to the server, ours tells the truth (docs/decisions.md).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { ask, refusal } from './ask.js';
import { repairInput } from './asset-repairs.js';

/** Arguments, the letters of the page, and whether records precede and follow it. */
const cases: [string, string, boolean, boolean][] = [
  ['', 'ABCDE', false, false],
  ['first: 2', 'AB', false, true],
  ['first: 10', 'ABCDE', false, false],
  ['last: 2', 'DE', true, false],
  ['last: 10', 'ABCDE', false, false],
  ['first: 2, after: "B"', 'CD', true, true],
  ['first: 10, after: "B"', 'CDE', true, false],
  ['last: 2, before: "D"', 'BC', true, true],
  ['last: 10, before: "D"', 'ABC', false, true],
  ['first: 2, after: "A", before: "E"', 'BC', true, true],
  ['first: 4, after: "A", before: "E"', 'BCD', true, false],
  ['first: 3, after: "A", before: "E"', 'BCD', true, false],
  ['last: 2, after: "A", before: "E"', 'CD', true, true],
  ['last: 4, after: "A", before: "E"', 'BCD', false, true],
  ['last: 3, after: "A", before: "E"', 'BCD', false, true],
  ['first: 0', '', false, true],
  ['after: "<", before: "~"', 'ABCDE', false, false],
  ['after: "D", before: "B"', '', true, false],
  // Beyond those of the reference implementation.
  ['before: "C"', 'AB', false, true],
  ['after: "C"', 'DE', true, false],
  ['first: 4, last: 2', 'CD', true, true],
  ['first: 10, last: 2', 'DE', true, false],
  ['first: 2, last: 2', 'AB', false, true],
  ['first: 2, last: 4', 'AB', false, true],
  ['first: 5, last: 5', 'ABCDE', false, false],
  ['first: 3, last: 1, after: "A"', 'D', true, true],
  ['first: 3, last: 2, after: "B"', 'DE', true, false],
  ['first: 3, last: 2, before: "D"', 'BC', true, false],
  ['first: 9, last: 9, after: "A", before: "E"', 'BCD', false, false],
  ['first: 2, last: 1, after: "A", before: "E"', 'C', true, true],
  ['first: 3, last: 2, after: "E"', '', false, false],
  ['first: 2, last: 0', '', true, true],
  ['first: 0, last: 0', '', false, true],
];

/** A way to a list: its name, a fragment of its records if they need one, the field with their letter, and the list. */
type Way = [string, string, 'industry' | 'itemCode', (args: string) => string];

const ways: Way[] = [
  ['a list', '', 'industry', (args) => `industryTypes${args && `(${args})`}`],
  ['a filtered list', '', 'industry', (args) => `industryTypes(where: { industry: { ne: "x" } } ${args})`],
  ['an ordered list', '', 'industry', (args) => `industryTypes(orderBy: [{ field: INDUSTRY }] ${args})`],
  ['a searched list', '', 'industry', (args) => `industryTypes(search: "letter" ${args})`],
  ['a search', '... on IndustryType', 'industry', (args) => `search(query: "letter", types: [INDUSTRY_TYPE] ${args})`],
  ['a list of lines', '', 'itemCode', (args) => `assetRepairConsumedItems(parentId: "$id" ${args})`],
  ['lines in a record', '', 'itemCode', (args) => `consumedItemsConnection${args && `(${args})`}`],
  [
    'ordered lines in a record',
    '',
    'itemCode',
    (args) => `consumedItemsConnection(orderBy: [{ field: ITEM_CODE }] ${args})`,
  ],
];
/** With `asOf`, where the lists of lines are answered by another code. */
const ofPast = ways
  .filter(([name]) => name.endsWith('in a record'))
  .map(([name, ...way]): Way => [`${name} of the past`, ...way]);

const everywhere = providers.flatMap((database) => [true, false].map((compiled) => ({ database, compiled })));

describe.each(everywhere)('on $database, compiled: $compiled', ({ database, compiled }) => {
  let gateway: TestGateway;
  let repair = '';
  const cursors = new Map<string, Record<string, string>>();

  beforeAll(async () => {
    gateway = await startGateway({ database, compiled, env: { SEARCH: 'true' } });
    // The newest comes first.
    const words = ['<', 'A', 'B', 'C', 'D', 'E', '~'].map((letter) => `${letter} letter`);
    const { made, one } = await ask(
      gateway,
      `mutation ($types: [CreateIndustryTypeInput!]!, $repair: CreateAssetRepairInput!) {
        made: createManyIndustryTypes(inputs: $types) { records { id } }
        one: createAssetRepair(input: $repair) { record { id consumedItems { id } } }
      }`,
      {
        types: words.toReversed().map((industry) => ({ industry })),
        repair: {
          ...repairInput(),
          consumedItems: words.map((itemCode) => ({ itemCode, warehouse: 'Stores' })),
        },
      },
    );
    repair = one.record.id;
    for (const way of [...ways, ...ofPast]) {
      const { page } = await asked(way, [['page', '']]);
      const [name, , letter] = way;
      cursors.set(name, Object.fromEntries(page.edges.map((edge: Edge) => [edge.node[letter]?.[0], edge.cursor])));
    }
    const lines: { id: string }[] = one.record.consumedItems;
    const [first, last] = [lines[0]?.id, lines.at(-1)?.id];
    const outside = `mutation ($types: [ID!]!, $first: ID!, $last: ID!) {
      deleteManyIndustryTypes(ids: $types) { deletedIds }
      first: deleteAssetRepairConsumedItem(id: $first) { deletedId }
      last: deleteAssetRepairConsumedItem(id: $last) { deletedId }
    }`;
    await ask(gateway, outside, { types: [made.records[0].id, made.records.at(-1).id], first, last });
  });
  afterAll(() => gateway.close());

  /** Several pages of a list, by one operation. */
  async function asked([way, type, letter, list]: Way, pages: [string, string][]) {
    const known = cursors.get(way) ?? {};
    const fields = pages.map(([name, args]) => {
      const given = args.replaceAll(/"(.)"/g, (_, place: string) => `"${known[place]}"`);
      return `${name}: ${list(given).replace('$id', repair)} {
        edges { cursor node { ${type ? `${type} { ${letter} }` : letter} } } pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
      }`;
    });
    if (!way.includes('in a record')) return ask(gateway, `{ ${fields.join('\n')} }`);
    const asOf = way.endsWith('of the past') ? `, asOf: "${new Date().toISOString()}"` : '';
    return (await ask(gateway, `{ assetRepair(id: "${repair}"${asOf}) { ${fields.join('\n')} } }`)).assetRepair;
  }

  // A state of the past never changes, so none of its cursors marks a line that is gone.
  const casesOf = ([name]: Way) => cases.filter(([args]) => !name.endsWith('of the past') || !args.includes('"<"'));

  test.each([...ways, ...ofPast])('%s', async (...way) => {
    const [, , letter] = way;
    const answers = await asked(
      way,
      casesOf(way).map(([args], index) => [`page${index}`, args]),
    );
    const found = casesOf(way).map(([args], index) => {
      const { edges, pageInfo } = answers[`page${index}`];
      expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([
        edges[0]?.cursor ?? null,
        edges.at(-1)?.cursor ?? null,
      ]);
      const letters = edges.map(({ node }: Edge) => node[letter]?.[0]).join('');
      return [args, letters, pageInfo.hasPreviousPage, pageInfo.hasNextPage];
    });
    expect(found).toEqual(casesOf(way));
  });

  test.each(['first: -1', 'last: -1', 'first: 2, last: -1', 'after: "no cursor"'])('refuses %s', async (args) => {
    const refused = await refusal(gateway, `{ industryTypes(${args}) { totalCount } }`);
    expect(refused.extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'parameter_invalid' });
  });
});

interface Edge {
  cursor: string;
  node: Partial<Record<'industry' | 'itemCode', string>>;
}
