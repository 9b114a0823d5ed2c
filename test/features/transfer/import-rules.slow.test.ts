/** The rules of record types are asked about every document of an import, as about the same write by the API. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type OpenedDatabase, openDatabase } from '../../../src/database/open-database.js';
import { fileInput } from '../../../src/features/transfer/import/input.js';
import { type RunImportOptions, runImport } from '../../../src/features/transfer/import/run-import.js';
import type { RecordProposal, Rules } from '../../../src/model/change.js';
import type { Problem } from '../../../src/model/errors/problem.js';
import { ask } from '../../graphql/ask.js';
import { freshFolder, providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { linesOf } from './odd-documents.js';

const refusal = (field: string, isRefused: unknown): Problem[] =>
  isRefused ? [{ path: [field], code: 'parameter_invalid', message: 'is against the rule' }] : [];
/** What `ofRecord` was told of new lines. */
const told: RecordProposal[] = [];

/** Rules of every kind, which look at the given values, at the stored record, and at lines. */
const rules: Record<string, Rules> = {
  AssetRepair: {
    beforeCreate: { ofRecord: ({ after }) => refusal('asset', after?.asset === 'locked') },
    beforeUpdate: { ofRecord: ({ before, values }) => refusal('asset', before?.asset === 'kept' && 'asset' in values) },
    beforeSubmit: { ofRecord: ({ after }) => refusal('completionDate', !after?.completionDate) },
  },
  AssetRepairConsumedItem: {
    beforeCreate: {
      ofValues: ({ values }) => refusal('warehouse', values.warehouse === 'locked'),
      ofRecord: (proposal) => {
        told.push(proposal);
        return [];
      },
    },
    beforeUpdate: { ofRecord: ({ after }) => refusal('warehouse', after?.warehouse === 'locked') },
    beforeDelete: { ofRecord: ({ before }) => refusal('itemCode', before?.itemCode === 'KEPT') },
  },
  SalesInvoicePayment: {
    beforeCreate: { ofRecord: ({ after }) => refusal('modeOfPayment', after?.modeOfPayment === 'locked') },
    beforeUpdate: { ofRecord: ({ before }) => refusal('modeOfPayment', before?.modeOfPayment === 'kept') },
  },
};

const item = (itemCode: string, more: object = {}) => ({ itemCode, warehouse: 'main', ...more });
const repair = (asset: string, more: Record<string, unknown> = {}) => ({
  __typename: 'AssetRepair',
  asset,
  failureDate: '2026-01-31',
  ...more,
});
const payment = (modeOfPayment: string, more: Record<string, unknown> = {}) => ({
  ...{ __typename: 'SalesInvoicePayment', parentId: 'SINV-1', parentType: 'Sales Invoice' },
  ...{ modeOfPayment, ...more },
});
const against = (...paths: string[]) =>
  paths.map((path) => ({ path, code: 'parameter_invalid', message: 'is against the rule' }));

describe.each(providers)('on %s', (provider) => {
  let gateway: TestGateway;
  let database: OpenedDatabase;
  beforeEach(async () => {
    gateway = await startGateway({ database: provider, rules });
    database = await openDatabase({ url: gateway.config.databaseUrl, migrate: false });
    return () => Promise.all([gateway.close(), database.close()]);
  });

  /** The counts, and the number and problems of each line in the file of refused lines. */
  async function imported(documents: Record<string, unknown>[], options: Partial<RunImportOptions> = {}) {
    const path = join(freshFolder(), 'records.jsonl');
    const errors = join(freshFolder(), 'refused.jsonl');
    writeFileSync(path, linesOf(documents));
    const progress = { isTerminal: false, isQuiet: true, printError: () => {} };
    const usual = { writers: [], updates: false, isDryRun: false, stops: false, again: false, errors, rules, progress };
    const done = await runImport(database, fileInput(path, undefined, undefined), { ...usual, ...options });
    const refused = readFileSync(errors, 'utf8').split('\n').filter(Boolean);
    return {
      counts: [done.imported, done.unchanged, done.refused],
      refused: refused.map((line) => JSON.parse(line)).map(({ line, problems }) => [line, problems]),
    };
  }

  const stored = async () => {
    const query = `{
      assetRepairs(orderBy: [{ field: ASSET }]) { nodes { id asset status version consumedItems { id itemCode warehouse } } }
      salesInvoicePayments(parentId: "SINV-1") { nodes { modeOfPayment } }
    }`;
    const data = await ask(gateway, query);
    return { repairs: data.assetRepairs.nodes, payments: data.salesInvoicePayments.nodes };
  };

  test('new documents, those with several refused parts, and lines that are documents of their own', async () => {
    const twice = {
      consumedItems: [item('a'), item('b', { warehouse: 'locked' }), item('c', { warehouse: 'locked' })],
    };
    const documents = [
      repair('one', { consumedItems: [item('a'), item('b')] }),
      repair('locked', twice),
      repair('two', { consumedItems: [item('c', { warehouse: 'locked' })] }),
      payment('locked'),
      repair('three', { status: 'submitted' }),
      repair('locked'),
      payment('Cash'),
    ];
    const expected = {
      counts: [3, 0, 4],
      refused: [
        // As for the API, rules that look at records are asked where those that look at the values find nothing.
        [2, against('consumedItems[1].warehouse', 'consumedItems[2].warehouse')],
        [3, against('consumedItems[0].warehouse')],
        [4, against('modeOfPayment')],
        [6, against('asset')],
      ],
    };
    expect(await imported(documents, { isDryRun: true })).toEqual(expected);
    expect(await stored()).toEqual({ repairs: [], payments: [] });
    told.length = 0;
    expect(await imported(documents)).toEqual(expected);
    const { repairs, payments } = await stored();
    expect(repairs.map(({ asset }: { asset: string }) => asset)).toEqual(['one', 'three']);
    expect(payments).toEqual([{ modeOfPayment: 'Cash' }]);
    const [one] = repairs;
    const codes = told
      .filter(({ after }) => after?.assetRepairId === one.id)
      .map(({ after }) => [after?.idx, after?.itemCode]);
    expect(codes).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);

    // The API refuses the same with the same words.
    const { __typename: _, ...input } = repair('locked', twice);
    const call = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    const { errors } = (await gateway.graphql(call, { input })).body;
    expect(errors[0].extensions.errors.map(({ param }: { param: string }) => param)).toEqual([
      'input.consumedItems[1].warehouse',
      'input.consumedItems[2].warehouse',
    ]);
  });

  test('a line far behind in a document that is written in several parts', async () => {
    const items = Array.from({ length: 5100 }, (_, index) =>
      item(`${index}`, { warehouse: [7, 5050].includes(index) ? 'locked' : 'main' }),
    );
    const first = { counts: [0, 0, 1], refused: [[1, against('consumedItems[7].warehouse')]] };
    expect(await imported([repair('long', { consumedItems: items })])).toEqual(first);
    const mended = items.map((each, index) => (index === 7 ? item('mended') : each));
    const second = { counts: [0, 0, 1], refused: [[1, against('consumedItems[5050].warehouse')]] };
    expect(await imported([repair('long', { consumedItems: mended })])).toEqual(second);
    expect((await stored()).repairs).toEqual([]);
  });

  test('without skipping it stops at the document that a rule refuses; none behind it is written', async () => {
    const documents = [repair('one'), repair('two'), repair('locked'), repair('three')];
    expect(await imported(documents, { stops: true })).toEqual({ counts: [2, 0, 1], refused: [[3, against('asset')]] });
    expect((await stored()).repairs.map(({ asset }: { asset: string }) => asset)).toEqual(['one', 'two']);
  });

  test('not a line that moves down because another is put before it, as by the API', async () => {
    await imported([payment('kept')]);
    expect(await imported([payment('first', { idx: 1 })])).toEqual({ counts: [1, 0, 0], refused: [] });
    const { __typename: _, ...input } = payment('before', { idx: 1 });
    const call =
      'mutation ($input: CreateSalesInvoicePaymentInput!) { createSalesInvoicePayment(input: $input) { record { id } } }';
    await ask(gateway, call, { input });
    expect((await stored()).payments.map(({ modeOfPayment }: { modeOfPayment: string }) => modeOfPayment)).toEqual([
      'before',
      'first',
      'kept',
    ]);
  });

  test('changes of documents that are there, of their state and of their lines', async () => {
    const items = [item('a'), item('KEPT')];
    await imported(['kept', 'one'].map((asset) => repair(asset, { consumedItems: items })));
    const before = await stored();
    const [kept, one] = before.repairs;
    const change = (id: string, more: object) => ({ __typename: 'AssetRepair', id, ...more });
    const [first, second] = one.consumedItems;
    const documents = [
      change(kept.id, { asset: 'changed', description: 'x' }),
      change(one.id, { consumedItems: [first, { ...second, warehouse: 'locked' }] }),
      change(one.id, { consumedItems: [first] }),
      change(one.id, { consumedItems: [first, second, item('new', { warehouse: 'locked' })] }),
      change(one.id, { status: 'submitted' }),
    ];
    expect(await imported(documents, { updates: true })).toEqual({
      counts: [0, 0, 5],
      refused: [
        [1, against('asset')],
        [2, against('consumedItems[1].warehouse')],
        [3, against('itemCode')],
        [4, against('consumedItems[2].warehouse')],
        [5, against('completionDate')],
      ],
    });
    expect(await stored()).toEqual(before);
    const allowed = [
      change(kept.id, { asset: 'kept', description: 'x' }),
      change(one.id, { status: 'submitted', completionDate: '2026-02-01', consumedItems: [second] }),
    ];
    expect(await imported(allowed, { updates: true })).toEqual({ counts: [2, 0, 0], refused: [] });
    expect((await stored()).repairs).toMatchObject([
      { asset: 'kept', version: kept.version + 1, status: 'DRAFT' },
      { asset: 'one', version: one.version + 1, status: 'SUBMITTED', consumedItems: [second] },
    ]);
  });
});
