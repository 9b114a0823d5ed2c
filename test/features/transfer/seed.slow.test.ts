/** `records seed` on both databases. */
import { beforeAll, describe, expect, test } from 'vitest';
import { documentTypes } from '../../../src/features/transfer/document-types.js';
import { seedDocuments } from '../../../src/features/transfer/run-seed.js';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { startRecords } from '../../support/process.js';
import { resources } from '../../support/resources.js';

type Document = Record<string, unknown>;

/** The sum of a field of lines. */
const sumOf = (lines: unknown, name: string): number =>
  Array.isArray(lines) ? lines.reduce((sum: number, line: Document) => sum + Number(line[name]), 0) : Number.NaN;

const count = 400;
const exported = async (url: string) =>
  (await records(['export', '-', '-q', '--with-secrets'], { DATABASE_URL: url })).text;
const texts: string[] = [];

describe.each(providers)('on %s', (provider) => {
  let url: string;
  let documents: Document[];
  beforeAll(async () => {
    url = await freshDatabaseUrl(provider);
    const command = startRecords({ DATABASE_URL: url }, ['seed', '--records', String(count), '--quiet']);
    expect(await command.ended, command.log()).toBe(0);
    expect(command.output()).toBe(`Created ${count} documents.\n`);
    texts.push(await exported(url));
    documents = (texts.at(-1) ?? '')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  });

  test('there are so many documents, of every type, as a gateway would have them', async () => {
    expect(documents).toHaveLength(count);
    const types = documentTypes(resources).map(({ model }) => String(model));
    expect(new Set(documents.map(({ __typename }) => __typename))).toEqual(new Set(types));
    expect(await records(['check'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
    const gateway = await startGateway({ env: { DATABASE_URL: url } });
    const { body } = await gateway.rest('GET', '/api/crm/quotation?limit=1');
    expect(body.total).toBe(documents.filter(({ __typename }) => __typename === 'Quotation').length);
    await gateway.close();
  });

  test('run again it finds them; other records are added only if that is asked for', async () => {
    const again = await records(['seed', '-r', String(count), '-q'], { DATABASE_URL: url });
    expect(again).toMatchObject({ code: 0, text: `Created 0 documents. There before: ${count}.\n` });
    const refused = await records(['seed', '--seed', '8', '-r', '60', '-q'], { DATABASE_URL: url });
    expect(refused).toMatchObject({ code: 1, problem: expect.stringMatching(/holds \d+ records already. --add adds/) });
    const added = await records(['seed', '--seed', '8', '-r', '60', '-q', '--add', '--json'], { DATABASE_URL: url });
    // Settings there are only once.
    expect(JSON.parse(added.text)).toEqual({ created: 58, wereThere: 2 });
    expect((await records(['seed', '-r', 'many'], { DATABASE_URL: url })).problem).toMatch(/Give a whole number/);
  });

  test('what is in a document fits', () => {
    const ofType = (type: string) => documents.filter(({ __typename }) => __typename === type);
    for (const repair of ofType('AssetRepair')) {
      const parts = sumOf(repair.consumedItems, 'totalValue');
      expect(repair.consumedItemsCost).toBeCloseTo(parts, 5);
      expect(repair.totalRepairCost).toBeCloseTo(parts + Number(repair.repairCost), 1);
      if (repair.completionDate) expect(String(repair.completionDate) >= String(repair.failureDate)).toBe(true);
    }
    for (const card of ofType('JobCard')) {
      expect(card).toMatchObject({ operation: expect.any(String), workOrder: expect.any(String) });
      expect(card.forQuantity).toBeGreaterThan(0);
      expect(card.totalCompletedQty).toBe(sumOf(card.timeLogs, 'completedQty'));
      expect(card.totalCompletedQty).toBeLessThanOrEqual(Number(card.forQuantity));
    }
    const [settings] = ofType('CurrencyExchangeSettings');
    const [parameter] = [settings?.details].flat();
    expect(parameter).toMatchObject({ key: 'base', value: '{from_currency}' });
    for (const sheet of ofType('Timesheet')) expect(sheet.totalHours).toBeCloseTo(sumOf(sheet.details, 'hours'), 5);
    for (const quotation of ofType('Quotation')) {
      expect(quotation.customerName).toBeTruthy();
      const [net, taxes] = [Number(quotation.netTotal), Number(quotation.totalTaxesAndCharges)];
      expect(quotation.grandTotal).toBeCloseTo(net + taxes, 1);
      if (quotation.baseGrandTotal === null) continue;
      expect(quotation.baseGrandTotal).toBeCloseTo(Number(quotation.grandTotal) * Number(quotation.conversionRate), 1);
    }
    const states = documents.map(({ status }) => status);
    const of = (state: string) => states.filter((each) => each === state).length;
    expect(of('submitted')).toBeGreaterThan(of('draft'));
    expect(of('draft')).toBeGreaterThan(of('cancelled'));
    expect(of('cancelled')).toBeGreaterThan(0);
  });
});

test('both databases get the same bytes', () => {
  expect(texts[0]).toBe(texts[1]);
});

test('a document is decided by the seed and its number', () => {
  const [one, same, other] = [7, 7, 8].map((seed) => seedDocuments(resources, seed));
  for (let number = 0; number < 50; number++) {
    expect(one?.(number)).toEqual(same?.(number));
    if (!String(one?.(number).id).endsWith('_default')) expect(one?.(number)).not.toEqual(other?.(number));
  }
});

test('few and many documents are of the same two years, each at a time of its own', () => {
  const documentAt = seedDocuments(resources, 7);
  for (const count of [1000, 2000, 8000]) {
    const documents = Array.from({ length: count }, (_, number) => documentAt(number));
    // Lines by themselves do not say when they were made.
    const times = documents.flatMap(({ createdAt }) => (createdAt ? String(createdAt) : [])).toSorted();
    expect(times[0]?.slice(0, 10)).toBe('2024-11-01');
    expect(times.at(-1)?.slice(0, 10)).toBe('2026-10-31');
    expect(new Set(times).size).toBe(times.length);
    const months = new Map(times.map((time) => [time.slice(0, 7), 0]));
    for (const time of times) months.set(time.slice(0, 7), (months.get(time.slice(0, 7)) ?? 0) + 1);
    expect(months.size).toBe(24);
    expect(Math.max(...months.values()) / Math.min(...months.values())).toBeLessThan(1.5);
  }
});

test('all 38 types are there, lines too, and of each type of documents most are submitted and few cancelled', () => {
  const number = 5000;
  const documentAt = seedDocuments(resources, 7);
  const made = Array.from({ length: number }, (_, index) => documentAt(index));
  const found = new Map(resources.map(({ model }) => [model, 0]));
  for (const { model, documentLike, lines } of resources) {
    const own = made.filter(({ __typename }) => __typename === model);
    found.set(model, (found.get(model) ?? 0) + own.length);
    for (const { resource, field } of lines) {
      const count = own.reduce((sum, document) => sum + [document[field]].flat().length, 0);
      found.set(resource.model, (found.get(resource.model) ?? 0) + count);
    }
    if (!documentLike) continue;
    const share = (status: string) => own.filter((document) => document.status === status).length / own.length;
    expect(share('draft'), model).toBeGreaterThan(share('cancelled'));
    expect(share('cancelled'), model).toBeGreaterThan(0);
    expect(share('submitted'), model).toBeGreaterThan(0.5);
    for (const { status, version } of own) {
      expect(version).toBe(1 + ['draft', 'submitted', 'cancelled'].indexOf(String(status)));
    }
  }
  expect(found.size).toBe(38);
  expect([...found].filter(([, count]) => count === 0)).toEqual([]);
});
