/** `records import` and `records export` together, on both databases. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sweepJournal } from '../../../src/change/journal/keep-journal.js';
import { inspect } from '../../../src/database/inspection.js';
import type { Provider } from '../../../src/database/migrations/migration-history.js';
import { isSearched } from '../../../src/features/search/searched-fields.js';
import { documentTypes } from '../../../src/features/transfer/document-types.js';
import { records } from '../../commands/records.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { freshDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';
import { linesOf, oddDocuments } from './odd-documents.js';

const documents = oddDocuments(400, 7);

function fileOf(text: string): string {
  const file = join(freshFolder(), 'records.jsonl');
  writeFileSync(file, text);
  return file;
}

const importing = (url: string, file: string, ...words: string[]) =>
  records(['import', file, '-q', ...words], { DATABASE_URL: url });

async function exported(url: string): Promise<string> {
  const { code, text, problem } = await records(['export', '-', '-q', '--with-secrets'], { DATABASE_URL: url });
  expect(code, problem).toBe(0);
  return text;
}

async function expectIntact(url: string): Promise<void> {
  const { code, text } = await records(['check'], { DATABASE_URL: url });
  expect(code, text).toBe(0);
}

/** How many entries the journal has of each record. */
async function entries(url: string): Promise<Map<string, string[]>> {
  const rows = await inspect(url, false, (inspection) =>
    inspection.rows(
      'SELECT "recordId", "action", "version", "revision", "keyName" FROM "JournalEntry" ORDER BY "entry"',
    ),
  );
  const found = new Map<string, string[]>();
  for (const [id, ...more] of rows) found.set(String(id), [...(found.get(String(id)) ?? []), more.join(' ')]);
  return found;
}

/** A database as left by gateways with a journal and a search index. */
const keepsAll = (url: string) =>
  inspect(url, true, async ({ provider, rows }) => {
    const since = provider === 'sqlite' ? '2026-01-01T00:00:00.000+00:00' : '2026-01-01';
    await rows(`UPDATE "JournalState" SET "since" = '${since}'`);
    for (const { model } of resources.filter(isSearched)) {
      await rows(`INSERT INTO "SearchState" ("model", "upTo", "isComplete") VALUES ('${model}', '', TRUE)`);
    }
  });

const other: Record<Provider, Provider> = { sqlite: 'postgresql', postgresql: 'sqlite' };

describe.each(providers)('on %s', (provider) => {
  test('every type comes back as it was, byte for byte, also by way of the other database', async () => {
    const first = await freshDatabaseUrl(provider);
    await keepsAll(first);
    const done = await importing(first, fileOf(linesOf(documents)), '--json');
    expect(done.code, done.problem).toBe(0);
    expect(JSON.parse(done.text)).toMatchObject({ imported: documents.length, refused: 0, lines: documents.length });
    const text = await exported(first);
    const found = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(found.map(({ __typename }) => __typename))).toEqual(
      new Set(documentTypes(resources).map(({ model }) => String(model))),
    );
    expect(sorted(found)).toEqual(sorted(JSON.parse(JSON.stringify(documents))));
    await expectIntact(first);

    const second = await freshDatabaseUrl(other[provider]);
    expect(await importing(second, fileOf(text))).toMatchObject({ code: 0 });
    expect(await exported(second)).toBe(text);
    await expectIntact(second);

    const told = await entries(first);
    const repair = documents.find(({ __typename }) => __typename === 'AssetRepair');
    expect(told.get(String(repair?.id))).toEqual([`create ${repair?.version} ${repair?.version} records import`]);
    const ids = documents.flatMap((document) => (document.version === 7 ? [] : [String(document.id)]));
    expect(ids.filter((id) => told.get(id)?.length !== 1)).toEqual([]);
  });

  test('large texts, long documents and new ids', async () => {
    const url = await freshDatabaseUrl(provider);
    const large = { __typename: 'AssetRepair', asset: 'x', failureDate: 'y', description: 'ä'.repeat(1_000_000) };
    const items = Array.from({ length: 5100 }, (_, index) => ({ itemCode: `PART-${index}`, warehouse: 'w' }));
    const text = linesOf([large, { ...large, description: null, consumedItems: items }, { ...large, description: '' }]);
    expect(await importing(url, fileOf(text))).toMatchObject({ code: 0 });
    const found = (await exported(url))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(found.map(({ description }) => description?.length)).toEqual([1_000_000, undefined, 0]);
    expect(found[1].consumedItems.map(({ itemCode }: { itemCode: string }) => itemCode)).toEqual(
      items.map(({ itemCode }) => itemCode),
    );
    expect(found[0]).toMatchObject({ version: 1, status: 'draft', id: expect.stringMatching(/^asset-repair_\w{26}$/) });
    await expectIntact(url);
  });

  const repairs = documents.filter(({ __typename }) => __typename === 'AssetRepair');
  const repair = (more: Record<string, unknown>) => ({
    __typename: 'AssetRepair',
    asset: 'a',
    failureDate: 'd',
    ...more,
  });

  test('every kind of bad line is refused with every reason, and the others are imported', async () => {
    const url = await freshDatabaseUrl(provider);
    const [first] = repairs;
    const item = (oddDocuments(400, 7).find(({ consumedItems }) => Array.isArray(consumedItems) && consumedItems[0])
      ?.consumedItems ?? []) as { id: string }[];
    const bad: [unknown, ...RegExp[]][] = [
      ['{"a":', /^is not valid JSON: it ends at column 7, where a value is expected$/],
      ['[1]', /^must be a JSON object, not a list/],
      [{ asset: 'x' }, /^__typename is required/],
      [{ __typename: 'AssetRepairs' }, /did you mean `AssetRepair`\?/],
      [{ __typename: 'TimesheetDetail' }, /names no type of documents/],
      [repair({ asset: 7, repairCost: '1' }), /^repairCost must be a number/, /^asset must be a string, not a number/],
      [{ __typename: 'AssetRepair', asset: null }, /^failureDate is required/, /^asset is required and cannot be null/],
      [repair({ assett: 'x' }), /^assett is not a name that is known here; did you mean `asset`\?/],
      [repair({ asset: '\u0000' }), /U\+0000/],
      [repair({ status: 'booked' }), /^status must be "draft" or "submitted" or "cancelled"/],
      [repair({ id: 'asset-repair_1' }), /^id must be an id as this service makes them/],
      [repair({ id: 'asset-repair_7zzzzzzzzzzzzzzzzzzzzzzzzz' }), /^id must not be of the future/],
      [repair({ id: 'job-card_01kahzqe0v3m7c2f9x5w8yt4bd' }), /^id must be an id/],
      [repair({ version: 0 }), /^version must be a whole number from 1 to/],
      [repair({ createdAt: '2026-02-30' }), /^createdAt must name a day that is in the calendar/],
      [repair({ increaseInAssetLife: 1.5 }), /^increaseInAssetLife must be a whole number/],
      [repair({ consumedItems: { itemCode: 'x' } }), /^consumedItems must be a list, not an object/],
      [repair({ consumedItems: [{}] }), /^consumedItems\[0\].itemCode is required/, /^consumedItems\[0\].warehouse is/],
      [repair({ consumedItems: [null] }), /^consumedItems\[0\] is required and cannot be null/],
      [repair({ consumedItems: [{ itemCode: 'x', warehouse: 'w', idx: 1 }] }), /idx is not a name that is known here/],
      [repair({ consumedItems: [1, 2].map(() => ({ id: item[0]?.id, itemCode: 'x', warehouse: 'w' })) }), /twice$/],
      [first, /^id is that of a Asset Repair that is there already; --update would change it|there already/],
      [
        { __typename: 'SalesInvoicePayment', modeOfPayment: 'Cash' },
        /^parentId is required/,
        /^parentType is required/,
      ],
      [
        { __typename: 'SubscriptionSettings', id: 'subscription-settings_2' },
        /^id must be subscription-settings_default/,
      ],
    ];
    const lines = bad.map(([line]) => (typeof line === 'string' ? line : JSON.stringify(line)));
    const text = [`\uFEFF${JSON.stringify(first)}`, '', ...lines, JSON.stringify(repair({ asset: 'last' }))].join(
      '\r\n',
    );
    const errors = join(freshFolder(), 'refused.jsonl');
    const done = await importing(url, fileOf(text), '--on-error', 'skip', '--errors', errors);
    expect(done).toMatchObject({ code: 1, problem: `error: ${bad.length} lines refused\n` });
    expect(done.text).toContain(`Imported 2 documents, 0 unchanged, ${bad.length} lines refused.\n`);
    const told = readFileSync(errors, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(told.map(({ line }) => line)).toEqual(bad.map((_, index) => index + 3));
    for (const [index, [, ...reasons]] of bad.entries()) {
      const found = told[index].problems.map(({ path, message }: Record<string, string>) =>
        `${path} ${message}`.trim(),
      );
      expect(found, lines[index]).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
      expect(told[index].text).toBe(`${lines[index]}\r`);
    }
    expect((await exported(url)).split('\n')).toHaveLength(3);
    await expectIntact(url);
  });

  test('by default it stops at the first refused line; all before it is there, nothing behind it', async () => {
    const url = await freshDatabaseUrl(provider);
    const text = linesOf([
      repair({ asset: 'one' }),
      repair({ asset: 'two' }),
      repair({ asset: 3 }),
      repair({ asset: 'four' }),
    ]);
    const file = fileOf(text);
    const done = await importing(url, file, '--name', 'monday');
    expect(done.code).toBe(1);
    expect(done.text).toMatch(/^line 3: asset must be a string, not a number\nImported 2 documents/);
    expect(done.problem).toContain(`tail -n +3 ${file} | records import -`);
    expect(
      (await exported(url))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).asset),
    ).toEqual(['one', 'two']);
    // Under its name it continues where it has stopped, once the line is corrected.
    writeFileSync(file, text.replace('"asset":3', '"asset":"three"'));
    expect(await importing(url, file, '--name', 'monday')).toMatchObject({ code: 0 });
    const all = ['one', 'two', 'three', 'four'];
    expect(
      (await exported(url))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).asset),
    ).toEqual(all);
    const again = await importing(url, file, '--name', 'monday');
    expect(again).toMatchObject({ code: 0, text: expect.stringMatching(/^This was imported before: 4 documents/) });
    expect(await importing(url, file, '--name', 'monday', '--again')).toMatchObject({ code: 0 });
    expect((await exported(url)).trimEnd().split('\n')).toHaveLength(8);
  });

  test('a document that was deleted here does not come back under its id: its history would tell versions twice', async () => {
    const gateway = await startGateway({ database: provider });
    onTestFinished(() => gateway.close());
    const { databaseUrl } = gateway.config;
    const path = '/api/assets/asset-repair';
    const { id } = (await gateway.rest('POST', path, { asset: 'gone', failure_date: '2026-01-01' })).body;
    const file = fileOf(await exported(databaseUrl));
    await gateway.rest('DELETE', `${path}/${id}`);
    const refused = await importing(databaseUrl, file, '--update');
    expect(refused.code).toBe(1);
    expect(refused.text).toMatch(
      /^line 1: id is that of an Asset Repair that was deleted here.*leave it out to get a new one/,
    );
    expect(await exported(databaseUrl)).toBe('');
    const again = fileOf(readFileSync(file, 'utf8').replace(`"id":"${id}",`, ''));
    expect(await importing(databaseUrl, again)).toMatchObject({ code: 0 });
    expect((await gateway.rest('GET', path)).body.total).toBe(1);
  });

  test('a line that was deleted here does not come back in another document: its states would have ids of other states', async () => {
    const gateway = await startGateway({ database: provider });
    onTestFinished(() => gateway.close());
    const { databaseUrl } = gateway.config;
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const document = JSON.parse(await exported(databaseUrl));
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    const refused = await importing(databaseUrl, fileOf(linesOf([{ ...document, id: undefined }])));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.text).toContain(
      `line 1: consumedItems[0].id is that of a line that was deleted from ${id}; leave it out to get a new one`,
    );
    const query = 'query ($id: ID!) { node(id: $id) { ... on AssetRepairConsumedItem { assetRepair { recordId } } } }';
    const { body } = await gateway.graphql(query, { id: `${items[0]}@1` });
    expect(body.data.node).toEqual({ assetRepair: { recordId: id } });
    const consumedItems = [{ ...document.consumedItems[0], id: undefined }];
    const file = fileOf(linesOf([{ ...document, id: undefined, consumedItems }]));
    expect(await importing(databaseUrl, file)).toMatchObject({ code: 0 });
  });

  test('a document comes under its id though a line of another type named it before', async () => {
    const url = await freshDatabaseUrl(provider);
    await keepsAll(url);
    const id = 'asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd';
    const payment = {
      __typename: 'SalesInvoicePayment',
      parentId: id,
      parentType: 'Asset Repair',
      modeOfPayment: 'Cash',
    };
    const files = [{ ...payment, amount: 5 }, repair({ id })].map((document) => fileOf(linesOf([document])));
    for (const file of files) expect(await importing(url, file)).toMatchObject({ code: 0 });
    await expectIntact(url);
  });

  test('a file that differs from an imported one only behind its first megabytes is another', async () => {
    const url = await freshDatabaseUrl(provider);
    const long = repair({ asset: 'long', description: 'x'.repeat(1_200_000) });
    const files = ['one', 'two'].map((asset) => fileOf(linesOf([long, repair({ asset })])));
    for (const file of files) expect(await importing(url, file)).toMatchObject({ code: 0 });
    const assets = (await exported(url))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).asset);
    expect(assets).toEqual(['long', 'one', 'long', 'two']);
    expect(await importing(url, files[0] ?? '')).toMatchObject({ text: expect.stringMatching(/^This was imported/) });
  });

  test('a dry run says the same and writes nothing', async () => {
    const url = await freshDatabaseUrl(provider);
    await keepsAll(url);
    const file = fileOf(linesOf([...documents, repair({ asset: 3 })]));
    const tried = await importing(url, file, '--dry-run', '--on-error', 'skip');
    expect(tried).toMatchObject({
      code: 3,
      text: expect.stringContaining(`Would have imported ${documents.length} documents`),
    });
    expect(await exported(url)).toBe('');
    expect(await entries(url)).toEqual(new Map());
    const rows = await inspect(url, false, (inspection) => inspection.rows('SELECT count(*) FROM "ImportProgress"'));
    expect(Number(rows[0]?.[0])).toBe(0);
    await expectIntact(url);
  });

  test('--update changes what differs, lines too, and nothing else', async () => {
    const url = await freshDatabaseUrl(provider);
    await keepsAll(url);
    await importing(url, fileOf(linesOf(documents)));
    const before = await exported(url);
    const same = await importing(url, fileOf(before), '--update', '--json');
    expect(JSON.parse(same.text)).toMatchObject({ imported: 0, unchanged: documents.length, refused: 0 });
    expect(await exported(url)).toBe(before);

    const lines = before
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const one = lines.find(({ consumedItems }) => consumedItems?.length > 1);
    const [first, second] = one.consumedItems;
    const payment = lines.find(({ __typename }) => __typename === 'SalesInvoicePayment');
    const settings = lines.find(({ __typename }) => __typename === 'SubscriptionSettings');
    const final = lines.find(({ status }) => status === 'cancelled');
    const added = { id: first.id.replace(/.{8}$/, 'zzzzzzzz'), itemCode: 'NEW', warehouse: 'w' };
    const changes = [
      { __typename: 'AssetRepair', id: one.id, asset: 'changed', consumedItems: [second, { ...added }] },
      { __typename: 'SalesInvoicePayment', id: payment.id, amount: 99 },
      { __typename: 'SubscriptionSettings', prorate: settings.prorate !== true },
      { __typename: final.__typename, id: final.id, status: 'draft' },
      { __typename: 'AssetRepair', id: one.id.replace(/.{8}$/, 'zzzzzzzz'), asset: 'lacks its date' },
    ];
    const done = await importing(url, fileOf(linesOf(changes)), '--update', '--on-error', 'skip');
    expect(done.text).toMatch(
      /line 4: This .* is cancelled and cannot become draft[\s\S]*line 5: failureDate is required/,
    );
    expect(done.text).toContain('Imported 3 documents, 0 unchanged, 2 lines refused.');
    const after = (await exported(url))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const found = after.find(({ id }) => id === one.id);
    expect(found).toMatchObject({ asset: 'changed', description: one.description, version: one.version + 1 });
    expect(found.consumedItems).toMatchObject([{ ...second, version: second.version + 1 }, added]);
    expect(after.find(({ id }) => id === payment.id)).toMatchObject({
      ...payment,
      amount: 99,
      version: payment.version + 1,
    });
    expect(after.find(({ id }) => id === 'subscription-settings_default')).toMatchObject({
      prorate: settings.prorate !== true,
      version: 8,
    });
    await expectIntact(url);
  });

  test('a line that was deleted and is brought again gets no version that it had before', async () => {
    const url = await freshDatabaseUrl(provider);
    await keepsAll(url);
    const id = 'asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd';
    const line = { id: 'asset-repair-consumed-item_01kahzqe0v3m7c2f9x5w8yt4be', warehouse: 'w', version: 3 };
    const repair = { __typename: 'AssetRepair', id, asset: 'a', failureDate: '2026-01-31' };
    const payment = {
      ...{ __typename: 'SalesInvoicePayment', id: 'sales-invoice-payment_01kahzqe0v3m7c2f9x5w8yt4bf', version: 3 },
      ...{ parentId: 'SINV-9', parentType: 'Sales Invoice' },
    };
    const bring = async (itemCode: string) => {
      const lines = [
        { ...repair, consumedItems: [{ ...line, itemCode }] },
        { ...payment, modeOfPayment: itemCode },
      ];
      const done = await importing(url, fileOf(linesOf(lines)), '--update');
      expect(done.code, done.problem + done.text).toBe(0);
      const found = (await exported(url)).split('\n').filter((text) => text.includes(itemCode));
      return found.map((text) => JSON.parse(text)).map((each) => each.consumedItems?.[0].version ?? each.version);
    };
    expect(await bring('FIRST')).toEqual([3, 3]);
    const gateway = await startGateway({ database: provider, env: { DATABASE_URL: url } });
    onTestFinished(() => gateway.close());
    await gateway.rest('DELETE', `/api/assets/asset-repair-consumed-item/${line.id}`);
    await gateway.rest('DELETE', `/api/accounts/sales-invoice-payment/${payment.id}`);
    expect(await bring('SECOND')).toEqual([4, 4]);
    await expectIntact(url);
  });

  test('singletons with a version and times of their own are in the journal with this version, at the time of the import', async () => {
    const url = await freshDatabaseUrl(provider);
    await keepsAll(url);
    const repairs = documents.filter(({ __typename }) => __typename === 'AssetRepair').slice(0, 3);
    const settings = { __typename: 'SubscriptionSettings', prorate: true, cancelAfterGrace: true, version: 5 };
    const times = { createdAt: '2019-01-01T00:00:00.000Z', updatedAt: '2020-01-01T00:00:00.000Z' };
    const from = new Date(Date.now() - 60_000).toISOString().slice(0, 16);
    const done = await importing(url, fileOf(linesOf([...repairs, { ...settings, ...times }])));
    expect(done.code, done.problem).toBe(0);
    const told = await inspect(url, false, (inspection) =>
      inspection.rows(`SELECT "version", "revision", replace(CAST("at" AS text), ' ', 'T') FROM "JournalEntry"
        WHERE "recordId" = 'subscription-settings_default'`),
    );
    expect(told.map(([version, revision]) => `${version} ${revision}`)).toEqual(['5 5']);
    expect(String(told[0]?.[2]).slice(0, 16) >= from, String(told[0]?.[2])).toBe(true);
    const gateway = await startGateway({ database: provider, env: { DATABASE_URL: url } });
    onTestFinished(() => gateway.close());
    // Nothing before it is assumed to be as old as the singletons.
    expect(await sweepJournal(gateway.database, gateway.journal, 90)).toBe(0);
    const { body } = await gateway.graphql(
      'mutation { updateSubscriptionSettings(id: "subscription-settings_default", input: { prorate: false }) { record { version } } }',
    );
    expect(body.data?.updateSubscriptionSettings.record, JSON.stringify(body.errors)).toEqual({ version: 6 });
    const asked = '{ subscriptionSettings { history { nodes { version } } } }';
    const { data } = (await gateway.graphql(asked)).body;
    expect(data.subscriptionSettings.history.nodes).toEqual([{ version: 6 }, { version: 5 }]);
  });

  test('lines without a record here are put in their places among those that are there', async () => {
    const url = await freshDatabaseUrl(provider);
    const payment = (modeOfPayment: string, idx?: number) => ({
      __typename: 'SalesInvoicePayment',
      parentId: 'SINV-9',
      parentType: 'Sales Invoice',
      modeOfPayment,
      idx,
    });
    await importing(url, fileOf(linesOf([payment('a'), payment('c')])));
    const done = await importing(url, fileOf(linesOf([payment('b', 2), payment('z', 1000), payment('first', 1)])));
    expect(done.code, done.problem).toBe(0);
    const found = (await exported(url))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(found.map(({ modeOfPayment, idx }) => [modeOfPayment, idx])).toEqual([
      ['first', 1],
      ['b', 2],
      ['a', 3],
      ['c', 4],
      ['z', 5],
    ]);
    await expectIntact(url);
  });
});

const sorted = (all: { id?: unknown }[]) => all.toSorted((one, two) => (String(one.id) < String(two.id) ? -1 : 1));
