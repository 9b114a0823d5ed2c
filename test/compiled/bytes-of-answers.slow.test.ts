/**
 * The same records in both databases have the same bytes in answers of compiled statements and of resolvers, on SQLite
 * and PostgreSQL. Each text is the one that JSON.stringify would write.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import type { Resource } from '../../src/model/resource.js';
import { columnsOf, resourceNamed } from '../graphql/questions/columns.js';
import { fill } from '../graphql/questions/data.js';
import { openPlain, type Row } from '../graphql/questions/plain-database.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { oddDoubles } from '../support/odd-doubles.js';
import { seed } from '../support/seed.js';
import { runs } from '../support/thorough.js';

/** `ODD_DOUBLES=100000 npx vitest run test/compiled/bytes` tests this many. */
const doubles = oddDoubles(Number(process.env.ODD_DOUBLES ?? 4000), seed);

/** Every character of one byte, and those that JSON, JavaScript and SQL treat specially. */
const characters = [
  ...Array.from({ length: 255 }, (_, index) => String.fromCharCode(index + 1)),
  ...'\u2028\u2029\u200b\ufeff\ufffd\ufffe\uffff\ud7ff\ue000€😀\u{10ffff}',
];
const texts = [
  ...characters.map((character) => `a${character}${character}b`),
  '\\u0041\\n\\/\\"',
  '{"a":80.0,"b":1e+21}',
  '{}',
  '[1.0,-0]',
  '',
  'null',
  '{{',
  '}}',
];

const quotation = resourceNamed('Quotation');
const repair = resourceNamed('AssetRepair');
const item = resourceNamed('AssetRepairConsumedItem');

describe('one record, one text', () => {
  let ways: { name: string; gateway: TestGateway }[] = [];
  const closePlain: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const made = await Promise.all(
      providers.map(async (provider) => {
        const compiled = await startGateway({ database: provider });
        const env = { DATABASE_URL: compiled.config.databaseUrl };
        const resolving = await startGateway({ env, compiled: false });
        const plain = await openPlain(provider, compiled.config.databaseUrl);
        await fill(plain, records(provider));
        closePlain.push(() => plain.close());
        return [
          { name: `${provider}, compiled`, gateway: compiled },
          { name: `${provider}, resolvers`, gateway: resolving },
        ];
      }),
    );
    ways = made.flat();
  });
  afterAll(() => Promise.all([...closePlain.map((close) => close()), ...ways.map(({ gateway }) => gateway.close())]));

  const own = columnsOf(quotation).map(({ name }) => name);
  const floats = quotation.fields.filter(({ type }) => type === 'Float').map(({ name }) => name);

  test.each([
    ['a list of all fields', `{ quotations(first: 1000) { totalCount nodes { ${own.join(' ')} } } }`],
    ['a list with cursors of numbers', listBy('GRAND_TOTAL'), listBy('PLC_CONVERSION_RATE')],
    [
      'lines, their parents and slices of them',
      `{ assetRepairs(first: 50) { edges { cursor node {
        description repairCost totalRepairCost allowedActions version
        consumedItems { idx itemCode consumedQuantity: totalValue assetRepair { repairCost } }
        some: consumedItems(limit: 2, offset: 1, orderBy: [{ field: TOTAL_VALUE, direction: DESC }]) { totalValue }
      } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    ],
    [
      'keys of odd names',
      `{ __proto__: quotations(first: 3) { constructor: totalCount nodes {
        ${'k'.repeat(63)}: grandTotal __proto__: total toString: id _1: version __typename
      } } }`,
    ],
    [
      'numbers measured and grouped by',
      `{ quotationAggregate(groupBy: [{ field: GRAND_TOTAL }], first: 1000) {
        count ${floats.map((name) => `${name} { min max }`).join(' ')}
        groups { grandTotal { key sum avg } count }
      } }`,
    ],
  ])('%s', async (_, ...queries) => {
    for (const query of queries) {
      const answers = await asked((gateway) => gateway.graphql(query));
      expect(answers[0]?.body.errors).toBeUndefined();
      expectOneText(answers);
    }
  });

  test('pages of REST', async () => {
    for (const path of [
      `${quotation.base}?limit=1000`,
      `${quotation.base}?limit=50&offset=70`,
      `${repair.base}?limit=1000`,
      `${item.base}?parent_id=${idOf(repair.slug, 0)}`,
      `${quotation.base}/${idOf(quotation.slug, 0)}`,
    ]) {
      const answers = await asked((gateway) => gateway.rest('GET', path));
      expect(answers[0]?.status).toBe(200);
      expectOneText(answers);
    }
  });

  test('every number is the one that is stored', async () => {
    const answers = await asked((gateway) =>
      gateway.graphql(`{ quotations(first: 1000) { nodes { id ${floats.join(' ')} } } }`),
    );
    const stored = new Map((records('sqlite').get('Quotation') ?? []).map((row) => [row.id, row]));
    for (const { body } of answers) {
      for (const { id, ...numbers } of body.data.quotations.nodes) {
        const row = stored.get(id) ?? {};
        expect(Object.values(numbers)).toEqual(floats.map((name) => Number(row[name]) + 0));
      }
    }
  });

  // The last one, because the ids of its new records differ.
  test('what is created, changed and submitted', async () => {
    const shown = `{ record { grandTotal total netTotal title version idle: allowedActions } }`;
    for (let turn = 0; turn < runs(6, 15); turn++) {
      const [grandTotal, total, netTotal] = doubles.slice(turn * 30);
      const input = { grandTotal, total, netTotal, title: texts[(turn * 7) % texts.length] };
      const created = await asked((gateway) =>
        gateway.graphql(
          `mutation ($input: CreateQuotationInput!) { r: createQuotation(input: $input) ${shown.replace('record {', 'record { id')} }`,
          { input: { ...required, ...input } },
        ),
      );
      expectOneText(created.map((answer) => ({ ...answer, text: answer.text.replace(/"id":"[^"]*",/, '') })));
      const ids = created.map(({ body }) => body.data.r.record.id);
      const change = { grandTotal: total, total: netTotal, netTotal: grandTotal };
      expectOneText(
        await asked((gateway, way) =>
          gateway.graphql(
            `mutation ($id: ID!, $input: UpdateQuotationInput!) { r: updateQuotation(id: $id, input: $input) ${shown} }`,
            { id: ids[way], input: change },
          ),
        ),
      );
      expectOneText(
        await asked((gateway, way) =>
          gateway.graphql(`mutation ($id: ID!) { r: submitQuotation(id: $id) ${shown} }`, { id: ids[way] }),
        ),
      );
    }
  });

  const asked = (ask: (gateway: TestGateway, way: number) => ReturnType<TestGateway['rest']>) =>
    Promise.all(ways.map(({ gateway }, way) => ask(gateway, way)));

  function expectOneText(answers: { text: string; body: unknown }[]): void {
    const [first, ...others] = answers.map(({ text }) => withoutRequest(text));
    for (const [index, other] of others.entries()) expect(other, ways[index + 1]?.name).toBe(first);
    expect(first).toBe(JSON.stringify(JSON.parse(first ?? '')));
  }
});

const withoutRequest = (text: string) => text.replace(/"requestId":"\w+"/g, '');

function listBy(field: string): string {
  return `{ quotations(first: 500, orderBy: [{ field: ${field}, direction: DESC, nulls: FIRST }]) {
    totalCount edges { cursor node { id grandTotal plcConversionRate } } pageInfo { startCursor endCursor hasNextPage }
  } }`;
}

const required = {
  company: 'ACME',
  currency: 'EUR',
  priceListCurrency: 'EUR',
  sellingPriceList: 'Standard',
  transactionDate: '2026-01-31',
  conversionRate: 1,
  plcConversionRate: 1e-7,
};

/** Quotations of all the numbers, and repairs with lines of some of them. */
function records(provider: Provider): Map<string, Row[]> {
  let turn = 0;
  const value = (type: string) => {
    turn++;
    if (type === 'Float') return storedNumber(provider, doubles[turn % doubles.length] ?? 0);
    if (type === 'Boolean') return turn % 2 === 0;
    if (type === 'DateTime')
      return `2026-01-${String(1 + (turn % 28)).padStart(2, '0')}T23:59:59.${100 + (turn % 900)}Z`;
    return type === 'Int' ? turn - 100 : (texts[turn % texts.length] ?? '');
  };
  const rows = (resource: Resource, count: number, more: (index: number) => Row = () => ({})): Row[] =>
    Array.from({ length: count }, (_, index) => ({
      ...Object.fromEntries(
        columnsOf(resource)
          .filter(({ name }) => !resource.parents.some(({ reference }) => reference === name))
          .map(({ name, type }) => [name, value(type)]),
      ),
      id: idOf(resource.slug, index),
      ...more(index),
    }));
  return new Map([
    ['Quotation', rows(quotation, Math.ceil(doubles.length / 18))],
    ['AssetRepair', rows(repair, 50)],
    [
      'AssetRepairConsumedItem',
      rows(item, 200, (index) => ({ assetRepairId: idOf(repair.slug, index % 50), idx: 1 + Math.floor(index / 50) })),
    ],
  ]);
}

/** The driver for PostgreSQL would send -0 as 0. */
const storedNumber = (provider: Provider, number: number) =>
  provider === 'postgresql' && Object.is(number, -0) ? '-0' : number;

const idOf = (slug: string, index: number): string => `${slug}_${String(index).padStart(26, '0')}`;
