/** The past of records as callers with roles see it: only of documents that they see now, and saw then. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rows } from '../../src/common/work.js';
import { records } from '../commands/records.js';
import { freshFolder, providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import type { Caller } from './keys.js';
import { repairOf, startRuled } from './rules.js';

const versions =
  'edges { node { version action changes { path before after } } } complete pageInfo { hasNextPage hasPreviousPage }';
const historyOf = async (caller: Pick<Caller, 'graphql'>, id: string, page = '') =>
  (await caller.graphql(`query ($id: ID!) { history(id: $id ${page}) { ${versions} } }`, { id })).body;
const feedOf = async (caller: Pick<Caller, 'graphql'>, page = '') => {
  const { body } = await caller.graphql(
    `{ changes${page} { nodes { position recordId version changes { path before after } } position hasMore } }`,
  );
  return body.data.changes;
};
const never = 'asset-repair_01jd3yr5e0v3m7c2f9x5w8yt4b';
/** What is done on the same database while no process keeps the journal. */
async function withoutJournal({ config, database }: TestGateway, work: (gateway: TestGateway) => Promise<unknown>) {
  await database.perform(() => rows('UPDATE "JournalState" SET "keptAt" = 0, "since" = NULL WHERE "id" = 1', []));
  const without = await startGateway({ env: { DATABASE_URL: config.databaseUrl, JOURNAL: 'false' } });
  await work(without);
  await without.close();
}
interface Versioned {
  node: { version: number };
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

describe.each(providers)('on %s', (database) => {
  test('a document of others has no history, as if it had never been, whether it is there or gone', async () => {
    const gateway = await startRuled(database);
    const reader = await gateway.caller('reader');
    const [mine, theirs, gone] = [
      await repairOf(gateway, 'ACME'),
      await repairOf(gateway, 'Other'),
      await repairOf(gateway, 'Other'),
    ];
    await theirs.change({ asset: 'mill' });
    const at = new Date().toISOString();
    await pause();
    await gone.remove();
    for (const id of [theirs.id, gone.id, never]) {
      expect(await historyOf(reader, id)).toEqual({ data: { history: null } });
      expect(await historyOf(reader, id, ', first: 1, after: "5"')).toEqual(
        await historyOf(reader, never, ', first: 1, after: "5"'),
      );
      const query =
        'query ($id: ID!, $past: ID!, $at: DateTime) { node(id: $past) { id } assetRepair(id: $id, asOf: $at) { id } }';
      const { body } = await reader.graphql(query, { id, past: `${id}@1`, at });
      expect(body).toEqual({ data: { node: null, assetRepair: null } });
      for (const path of ['/history', `?as_of=${at}`]) {
        const answer = await reader.rest('GET', `/api/assets/asset-repair/${id}${path}`);
        const expected = await reader.rest('GET', `/api/assets/asset-repair/${never}${path}`);
        expect(answer.status).toBe(404);
        expect(answer.body.error.message.replaceAll(id, never)).toBe(expected.body.error.message);
      }
    }
    expect((await historyOf(reader, mine.id)).data.history.edges).toHaveLength(1);
    expect((await reader.rest('GET', `${mine.path}?as_of=${at}`)).body).toMatchObject({
      id: mine.id,
      actions_performed: null,
    });
    expect(
      (await gateway.graphql('query ($id: ID!) { history(id: $id) { complete } }', { id: gone.id })).body.data.history,
    ).toEqual({
      complete: true,
    });
  });

  test.each(['reader', 'plain'] as const)(
    'of a document that comes and goes, a %s sees the versions of its company',
    async (role) => {
      const gateway = await startRuled(database);
      const reader = await gateway.caller(role);
      const repair = await repairOf(gateway, 'Other'); // 1
      await repair.changeLine({ serialNo: 'S-2', warehouse: 'Hidden' }); // 2
      const hiddenAt = new Date().toISOString();
      await pause();
      await repair.change({ company: 'ACME', description: 'shown' }); // 3
      const shownAt = new Date().toISOString();
      await pause();
      await repair.changeLine({ serialNo: 'S-3', warehouse: 'Shown' }); // 4
      await repair.change({ company: 'Third', description: 'hidden' }); // 5
      await repair.change({ asset: 'mill' }); // 6
      expect(await historyOf(reader, repair.id)).toEqual({ data: { history: null } });
      await repair.change({ company: 'ACME', asset: 'drill' }); // 7
      await repair.change({ actionsPerformed: 'nothing' }); // 8
      const { edges, complete } = (await historyOf(reader, repair.id)).data.history;
      expect(complete).toBe(false);
      expect(edges.map(({ node }: Versioned) => node.version)).toEqual([8, 7, 4, 3]);
      const changes = Object.fromEntries(
        edges.map(({ node }: { node: { version: number; changes: unknown } }) => [node.version, node.changes]),
      );
      const company = { path: ['company'], before: null, after: 'ACME' };
      expect(changes[7]).toHaveLength(2);
      expect(changes[7]).toContainEqual({ path: ['asset'], before: null, after: 'drill' });
      expect(changes[7]).toContainEqual(company);
      expect(changes[3]).toHaveLength(role === 'plain' ? 1 : 2);
      const line = (field: string, before: string, after: string) => ({
        path: ['consumedItems', repair.line, field],
        before,
        after,
      });
      const ofSerial = role === 'reader' ? [] : [line('serialNo', 'S-2', 'S-3')];
      expect(changes[4]).toEqual(expect.arrayContaining([line('warehouse', 'Hidden', 'Shown'), ...ofSerial]));
      expect(changes[4]).toHaveLength(1 + ofSerial.length);
      expect(changes[8]).toHaveLength(role === 'reader' ? 0 : 1);
      // Page by page the same, in both directions.
      const walk = async (direction: 'first' | 'last', cursor: 'after' | 'before', flag: string) => {
        const found: number[] = [];
        let place = '';
        for (;;) {
          const { history } = (await historyOf(reader, repair.id, `, ${direction}: 1 ${place}`)).data;
          found.push(...history.edges.map(({ node }: Versioned) => node.version));
          if (!history.pageInfo[flag]) return found;
          place = `${cursor}: "${found.at(-1)}"`;
        }
      };
      expect(await walk('first', 'after', 'hasNextPage')).toEqual([8, 7, 4, 3]);
      expect(await walk('last', 'before', 'hasPreviousPage')).toEqual([3, 4, 7, 8]);
      // As it was.
      const past = async (asOf: string) =>
        (
          await reader.graphql(
            `query ($id: ID!, $at: DateTime) { assetRepair(id: $id, asOf: $at) { version company actionsPerformed
        consumedItems { serialNo warehouse } history { nodes { version } } } }`,
            { id: repair.id, at: asOf },
          )
        ).body;
      expect(await past(hiddenAt)).toEqual({ data: { assetRepair: null } });
      expect((await past(shownAt)).data.assetRepair).toEqual({
        version: 3,
        company: 'ACME',
        actionsPerformed: role === 'reader' ? null : 'secretly oiled',
        consumedItems: [{ serialNo: role === 'reader' ? null : 'S-2', warehouse: 'Hidden' }],
        history: { nodes: [{ version: 3 }] },
      });
      const node = async (id: string) =>
        (await reader.graphql('query ($id: ID!) { node(id: $id) { id } }', { id })).body.data.node;
      for (const version of [1, 2, 5, 6]) {
        expect(await node(`${repair.id}@${version}`)).toBeNull();
        expect(await node(`${repair.line}@${version}`)).toBeNull();
      }
      for (const version of [3, 4, 7, 8]) expect(await node(`${repair.line}@${version}`)).not.toBeNull();
      const rest = await reader.rest('GET', `${repair.path}/history`);
      expect(rest.body.data.map(({ version }: { version: number }) => version)).toEqual([8, 7, 4, 3]);
      // The feed has the same entries; each of its pages is full.
      const all = await feedOf(reader);
      expect(
        all.nodes.map(({ recordId, version }: { recordId: string; version: number }) => [recordId, version]),
      ).toEqual(
        expect.arrayContaining([
          [repair.id, 3],
          [repair.id, 4],
          [repair.line, 3],
          [repair.id, 7],
          [repair.id, 8],
        ]),
      );
      expect(all.nodes).toHaveLength(5);
      const pages = [];
      for (let after = '', hasMore = true; hasMore; ) {
        const page = await feedOf(reader, `(first: 2${after})`);
        pages.push(page.nodes.length);
        [after, hasMore] = [`, after: "${page.position}"`, page.hasMore];
      }
      expect(pages).toEqual([2, 2, 1]);
      expect((await reader.rest('GET', '/api/changes')).body.data).toHaveLength(5);
      // It is gone, and was seen in the end.
      await repair.remove();
      expect(
        (await historyOf(reader, repair.id)).data.history.edges.map(({ node: { version } }: Versioned) => version),
      ).toEqual([8, 8, 7, 4, 3]);
      const other = await gateway.caller(role, 'Other');
      expect((await feedOf(other)).nodes).toEqual([]);
      expect(await historyOf(other, repair.id)).toEqual({ data: { history: null } });
    },
  );

  test('what somebody has made and deleted, only they know', async () => {
    const gateway = await startRuled(database);
    const [owner, other] = [await gateway.caller('owner'), await gateway.caller('owner')];
    const repair = await repairOf(owner, null);
    await repair.change({ asset: 'mill' });
    await repair.remove();
    expect((await historyOf(owner, repair.id)).data.history.edges).toHaveLength(3);
    expect((await feedOf(owner)).nodes).toHaveLength(5);
    expect(await historyOf(other, repair.id)).toEqual({ data: { history: null } });
    expect((await feedOf(other)).nodes).toEqual([]);
  });

  test('a line whose document is not held here follows its own rule, then and now', async () => {
    const gateway = await startRuled(database);
    const payer = await gateway.caller('payer', 'Cash');
    const line = async (modeOfPayment: string) => {
      const input = {
        parentId: 'SINV-1',
        parentType: 'Sales Invoice',
        modeOfPayment,
        amount: 5,
        account: 'Hidden',
      };
      const create =
        'mutation ($input: CreateSalesInvoicePaymentInput!) { createSalesInvoicePayment(input: $input) { record { id } } }';
      const { body, text } = await gateway.graphql(create, { input });
      expect(body.errors, text).toBeUndefined();
      const id: string = body.data.createSalesInvoicePayment.record.id;
      const change =
        'mutation ($id: ID!, $input: UpdateSalesInvoicePaymentInput!) { updateSalesInvoicePayment(id: $id, input: $input) { record { id } } }';
      const remove = 'mutation ($id: ID!) { deleteSalesInvoicePayment(id: $id) { deletedId } }';
      return {
        id,
        change: (values: object) => gateway.graphql(change, { id, input: values }),
        remove: () => gateway.graphql(remove, { id }),
      };
    };
    const [shown, hidden] = [await line('Bank'), await line('Cash')];
    await shown.change({ amount: 6 });
    await shown.change({ modeOfPayment: 'Cash', amount: 7 });
    await shown.change({ account: 'Other' });
    await hidden.change({ modeOfPayment: 'Bank' });
    await hidden.remove();
    const { nodes } = await feedOf(payer);
    expect(
      nodes.map(({ recordId, version, changes }: { recordId: string; version: number; changes: object[] }) => [
        recordId,
        version,
        changes.length,
      ]),
    ).toEqual([
      [shown.id, 3, 2],
      [shown.id, 4, 0],
    ]);
    expect(nodes[0].changes).toContainEqual({ path: ['amount'], before: null, after: 7 });
    await shown.remove();
    const bank = await gateway.caller('payer', 'Bank');
    expect((await feedOf(payer)).nodes).toHaveLength(3);
    expect((await feedOf(bank)).nodes.map(({ recordId }: { recordId: string }) => recordId)).toEqual([
      hidden.id,
      hidden.id,
    ]);
  });

  test('a line that was deleted and imported again is another one', async () => {
    const gateway = await startRuled(database);
    const payer = await gateway.caller('payer', 'Cash');
    const id = 'sales-invoice-payment_01jd3yr5e0v3m7c2f9x5w8yt4b';
    const brought = async (modeOfPayment: string) => {
      const file = join(freshFolder(), 'records.jsonl');
      const values = { parentId: 'SINV-1', parentType: 'Sales Invoice', modeOfPayment, amount: 5 };
      writeFileSync(file, JSON.stringify({ __typename: 'SalesInvoicePayment', id, version: 1, ...values }));
      const done = await records(['import', file, '-q'], { DATABASE_URL: gateway.config.databaseUrl });
      expect(done.code, done.problem + done.text).toBe(0);
    };
    const change = async (amount: number) =>
      gateway.graphql(
        `mutation { updateSalesInvoicePayment(id: "${id}", input: { amount: ${amount} }) { record { id } } }`,
      );
    await brought('Bank');
    await change(6);
    await gateway.graphql(`mutation { deleteSalesInvoicePayment(id: "${id}") { deletedId } }`);
    await brought('Cash');
    await change(7);
    const { nodes } = await feedOf(payer);
    expect(nodes.map(({ version }: { version: number }) => version)).toEqual([3, 4]);
    expect(JSON.stringify(nodes)).not.toContain('Bank');
    expect(nodes[1].changes).toEqual([{ path: ['amount'], before: 5, after: 7 }]);
  });

  test.each<Record<string, string>>([{}, { 'idempotency-key': 'once' }])(
    'in the answer of a mutation, with the headers %j',
    async (headers) => {
      const gateway = await startRuled(database);
      const author = await gateway.caller('author');
      const repair = await repairOf(gateway, 'Other');
      await repair.change({ company: 'ACME' });
      const { body } = await author.graphql(
        `mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "mill" }) {
        record { history { nodes { version changes { path before after } } complete } } } }`,
        { id: repair.id },
        headers,
      );
      const company = { path: ['company'], before: null, after: 'ACME' };
      const asset = { path: ['asset'], before: 'lathe', after: 'mill' };
      expect(body.data.updateAssetRepair.record.history).toEqual({
        nodes: [
          { version: 3, changes: [asset] },
          { version: 2, changes: [company] },
        ],
        complete: false,
      });
    },
  );

  test('what a document was before a gap in the journal is not known, and not shown', async () => {
    const gateway = await startRuled(database);
    const reader = await gateway.caller('reader');
    const repair = await repairOf(gateway, 'ACME');
    const change =
      'mutation ($id: ID!, $input: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { record { id } } }';
    await withoutJournal(gateway, async (without) => {
      for (const company of ['Other', 'ACME']) await without.graphql(change, { id: repair.id, input: { company } });
    });
    expect((await historyOf(gateway, repair.id)).data.history.edges).toHaveLength(1);
    expect((await historyOf(reader, repair.id)).data.history.edges).toEqual([]);
    const kept = await startGateway({ env: { DATABASE_URL: gateway.config.databaseUrl, ROLES: gateway.file } });
    onTestFinished(() => kept.close());
    await kept.graphql(change, { id: repair.id, input: { asset: 'mill' } });
    expect((await historyOf(reader, repair.id)).data.history.edges.map(({ node }: Versioned) => node.version)).toEqual([
      4,
    ]);
    expect(
      (await reader.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: `${repair.id}@3` })).body.data.node,
    ).not.toBeNull();
  });

  test('a caller without roles causes no further statement', async () => {
    const gateway = await startRuled(database);
    const { id } = await repairOf(gateway, 'Other');
    await feedOf(gateway);
    const before = gateway.statements.length;
    await historyOf(gateway, id);
    await feedOf(gateway);
    const found = gateway.statements.slice(before).filter((sql) => sql.includes('AS "values", 9007199254740991'));
    expect(found).toEqual([]);
  });
});
