/** Versions, times and ids that would break a record for ever: refused by an import, named and mended by `records check`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inspect } from '../../../src/database/inspection.js';
import { idOf, instantOfId } from '../../../src/model/ids.js';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { linesOf } from './odd-documents.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const ahead = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const idAhead = (slug: string, milliseconds: number) => idOf(slug, Date.now() + milliseconds, () => 5);
const base = '/api/assets/asset-repair';

const repair = (more: Record<string, unknown>) => ({
  __typename: 'AssetRepair',
  asset: 'LATHE-7',
  failureDate: '2026-11-20',
  ...more,
});
const item = (more: Record<string, unknown>) => ({ itemCode: 'BELT', warehouse: 'main', ...more });

const bad: [Record<string, unknown>, RegExp][] = [
  [repair({ version: 2147483647 }), /^version must be a whole number from 1 to 2000000000$/],
  [repair({ version: -1 }), /^version must be a whole number from 1/],
  [repair({ createdAt: '9999-12-31' }), /^createdAt must not be in the future/],
  [repair({ updatedAt: ahead(6 * minute) }), /^updatedAt must not be in the future/],
  [
    repair({ createdAt: '2026-01-02', updatedAt: '2026-01-01T23:59:59.999Z' }),
    /^updatedAt must not be before createdAt/,
  ],
  [repair({ id: idAhead('asset-repair', 6 * minute) }), /^id must not be of the future/],
  [
    repair({ consumedItems: [item({ version: 2_000_000_001 })] }),
    /^consumedItems\[0\]\.version must be a whole number/,
  ],
  [
    repair({ consumedItems: [item({ id: idAhead('asset-repair-consumed-item', day) })] }),
    /^consumedItems\[0\]\.id must not be of the future/,
  ],
  [{ __typename: 'SubscriptionSettings', version: 2147483647 }, /^version must be/],
  [{ __typename: 'SubscriptionSettings', updatedAt: ahead(day) }, /^updatedAt must not be in the future/],
  [
    { __typename: 'SalesInvoicePayment', parentId: 'S', parentType: 'T', modeOfPayment: 'Cash', version: 2147483647 },
    /^version must be/,
  ],
];
const good = [
  repair({ version: 1_000_000_000, consumedItems: [item({ version: 2_000_000_000 })] }),
  repair({ createdAt: ahead(4 * minute), id: idAhead('asset-repair', 4 * minute) }),
  repair({ updatedAt: '2020-02-02T00:00:00.000Z' }),
];

describe.each(providers)('on %s', (provider) => {
  test('an import refuses them, and what it takes can be changed', async () => {
    const gateway = await startGateway({ database: provider });
    onTestFinished(() => gateway.close());
    const file = join(freshFolder(), 'records.jsonl');
    writeFileSync(file, linesOf([...bad.map(([document]) => document), ...good]));
    const words = ['import', file, '-q', '--on-error', 'skip'];
    const { text } = await records(words, { DATABASE_URL: gateway.config.databaseUrl });
    const told = text.split('\n').map((line) => line.replace(/^line \d+: /, ''));
    expect(told.slice(0, bad.length)).toEqual(bad.map(([, reason]) => expect.stringMatching(reason)));
    expect(told[bad.length]).toContain('Imported 3 documents');
    const { data } = (await gateway.rest('GET', base)).body;
    expect(data).toHaveLength(3);
    for (const { id, created_at, updated_at } of data) {
      expect(updated_at >= created_at).toBe(true);
      expect(await gateway.rest('PATCH', `${base}/${id}`, { asset: 'changed' })).toMatchObject({ status: 200 });
    }
  });

  test('records that are there are named, and mended, also in the journal', async () => {
    const gateway = await startGateway({ database: provider });
    onTestFinished(() => gateway.close());
    const DATABASE_URL = gateway.config.databaseUrl;
    const run = (sql: string) => inspect(DATABASE_URL, true, ({ rows }) => rows(sql));
    const create = async () => (await gateway.rest('POST', base, { asset: 'a', failure_date: 'd' })).body.id;
    const [full, late, early] = [await create(), await create(), await create()];
    await gateway.rest('PATCH', `${base}/${full}`, { asset: 'b' });
    const lift = 2147483645;
    await run(`UPDATE "AssetRepair" SET "version" = "version" + ${lift} WHERE "id" = '${full}'`);
    await run(
      `UPDATE "JournalEntry" SET "version" = "version" + ${lift}, "revision" = "revision" + ${lift} WHERE "documentId" = '${full}'`,
    );
    const [zone, future] = [provider === 'sqlite' ? '+00:00' : '', '9999-01-01T00:00:00.000'];
    const set = `"updatedAt" = '${future}${zone}', "createdAt" = '${future}${zone}'`;
    await run(`UPDATE "AssetRepair" SET ${set} WHERE "id" = '${late}'`);
    await run(`UPDATE "AssetRepair" SET "updatedAt" = '2001-01-01T00:00:00.000${zone}' WHERE "id" = '${early}'`);
    if (provider === 'postgresql') {
      expect((await gateway.rest('PATCH', `${base}/${full}`, { asset: 'c' })).status).toBe(500);
    }
    await gateway.rest('PATCH', `${base}/${late}`, { asset: 'c' });

    const found = await records(['check'], { DATABASE_URL });
    expect(found).toMatchObject({ code: 3 });
    expect(found.text).toContain('NO   versions and times are such as changes make them (--fix repairs it)\n');
    expect(found.text).toContain(`${full} has the version 2147483647`);
    expect(found.text).toContain(`${late} was created at 9999-01-01`);
    expect(found.text).toContain(`${early} was created at `);
    const fixed = await records(['check', '--fix'], { DATABASE_URL });
    expect(fixed, fixed.text).toMatchObject({ code: 0 });

    const history = async (id: string) =>
      (
        await gateway.graphql(`{ assetRepair(id: "${id}") { version history(first: 5) { nodes { version at } } } }`)
      ).body.data.assetRepair.history.nodes.map(({ version, at }: { version: number; at: string }) => [
        version,
        Math.abs(Date.now() - Date.parse(at)) < 10 * minute,
      ]);
    expect(await gateway.rest('PATCH', `${base}/${full}`, { asset: 'd' })).toMatchObject({ status: 200 });
    const highest = 1_000_000_001;
    expect(await history(full)).toEqual([highest, highest - 1, highest - 2].map((version) => [version, true]));
    const { body } = await gateway.rest('PATCH', `${base}/${late}`, { asset: 'd' });
    expect(Date.parse(body.updated_at)).toBeLessThan(Date.now() + minute);
    expect(await history(late)).toEqual([3, 2, 1].map((version) => [version, true]));
    expect(await records(['check'], { DATABASE_URL })).toMatchObject({ code: 0 });

    const file = join(freshFolder(), 'records.jsonl');
    expect(await records(['export', file], { DATABASE_URL })).toMatchObject({ code: 0 });
    const copied = await records(['import', file], { DATABASE_URL: await freshDatabaseUrl(provider) });
    expect(copied, copied.text).toMatchObject({ code: 0 });
  });

  test('to mend a type others are left alone, and versions of records whose times alone are wrong', async () => {
    const gateway = await startGateway({ database: provider });
    onTestFinished(() => gateway.close());
    const DATABASE_URL = gateway.config.databaseUrl;
    const run = (sql: string) => inspect(DATABASE_URL, true, ({ rows }) => rows(sql));
    const ids: string[] = [];
    for (const text of ['full', 'late']) {
      ids.push((await gateway.rest('POST', base, { asset: text, failure_date: 'd' })).body.id);
    }
    await run(`UPDATE "AssetRepair" SET "version" = 0 WHERE "id" = '${ids[0]}'`);
    const zone = provider === 'sqlite' ? '+00:00' : '';
    await run(`UPDATE "AssetRepair" SET "updatedAt" = '2001-01-01T00:00:00.000${zone}' WHERE "id" = '${ids[1]}'`);
    await run(`UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'AssetRepair' AND "shard" = 0`);
    const refuse = `RAISE EXCEPTION 'changed without need'`;
    if (provider === 'sqlite') {
      await run(`CREATE TRIGGER "own" BEFORE UPDATE OF "version" ON "AssetRepair" WHEN OLD."version" = NEW."version"
        BEGIN SELECT RAISE(ABORT, 'changed without need'); END`);
      await run(`CREATE TRIGGER "others" BEFORE DELETE ON "RecordBlock" WHEN OLD."model" <> 'AssetRepair'
        BEGIN SELECT RAISE(ABORT, 'changed without need'); END`);
    } else {
      await run(`CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${refuse}; END $$`);
      await run(`CREATE TRIGGER "own" BEFORE UPDATE OF "version" ON "AssetRepair" FOR EACH ROW
        WHEN (OLD."version" = NEW."version") EXECUTE FUNCTION own()`);
      // A statement that changes no row calls it too.
      await run('CREATE TRIGGER "others" BEFORE UPDATE ON "Quotation" FOR EACH STATEMENT EXECUTE FUNCTION own()');
      await run(`CREATE TRIGGER "others" BEFORE DELETE ON "RecordBlock" FOR EACH ROW
        WHEN (OLD."model" <> 'AssetRepair') EXECUTE FUNCTION own()`);
    }
    const fixed = await records(['check', '--fix'], { DATABASE_URL });
    expect(fixed, fixed.problem).toMatchObject({ code: 0 });
  });

  test('an id of the future is named, and new records do not follow it', async () => {
    const url = await freshDatabaseUrl(provider);
    const id = idAhead('asset-repair', 400 * day);
    const time = provider === 'sqlite' ? `'2026-01-01T00:00:00.000+00:00'` : 'now()';
    const values = `'${id}', 'a', 'd', ${time}, ${time}`;
    const columns = '"id", "asset", "failureDate", "createdAt", "updatedAt"';
    await inspect(url, true, ({ rows }) => rows(`INSERT INTO "AssetRepair" (${columns}) VALUES (${values})`));
    const found = await records(['check', '--fix'], { DATABASE_URL: url });
    expect(found).toMatchObject({ code: 3 });
    expect(found.text).toContain('NO   no id is of the future\n');
    expect(found.text).toContain(`${id} is an id of ${ahead(400 * day).slice(0, 10)}`);
    const gateway = await startGateway({ env: { DATABASE_URL: url } });
    onTestFinished(() => gateway.close());
    const made = (await gateway.rest('POST', base, { asset: 'a', failure_date: 'd' })).body;
    expect(instantOfId(made.id.slice('asset-repair'.length))).toBeLessThan(Date.now() + minute);
    expect(Date.parse(made.created_at)).toBeLessThan(Date.now() + minute);
  });
});
