/**
 * On PostgreSQL a change of a line is one statement, which finds the line's document and compares the values without a
 * read before. It has the same effect as the resolvers, which read the line first; for what it cannot do, the line is
 * read.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../../src/common/work.js';
import { ask } from '../graphql/ask.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { statementsOf } from '../graphql/statements.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { waitingForLock } from '../support/waiting-for-lock.js';

const answer = 'id idx itemCode version assetRepair { id version status purchaseInvoices { id } }';
const update = (input: string, more = '') =>
  `updateAssetRepairConsumedItem(id: $two, input: { ${input} }${more}) { record { ${answer} } }`;

/** `$id` is a repair with the lines `$one` and `$two`; the number is of the statements that change it. */
const changes: [name: string, statements: number, mutation: string][] = [
  ['a value', 1, update('itemCode: "other"')],
  ['several values, of which one differs', 1, update('itemCode: "item 2", warehouse: "other", valuationRate: 1.5')],
  ['a value to null', 1, update('itemCode: "other", serialNo: null')],
  ['a value at the version of the line', 1, update('itemCode: "other"', ', expectedVersion: 1')],
  ['a value at another version', 2, update('itemCode: "other"', ', expectedVersion: 7')],
  ['nothing', 3, update('')],
  ['a value that it has', 4, update('itemCode: "item 2"')],
  ['a value, and its place as it is', 2, update('itemCode: "other", idx: 2')],
  ['its place', 5, update('itemCode: "other", idx: 1')],
  ['a value, and its document as it is', 2, update('itemCode: "other", assetRepairId: $id')],
  ['its document', 1, update('itemCode: "other", assetRepairId: "other"')],
  [
    'a value, to answer other lines',
    4,
    `${update('itemCode: "other"').replace(answer, 'assetRepair { consumedItems { version } }')}`,
  ],
];

describe.each(['true', 'false'])('on PostgreSQL, journal: %s, a change of', (journal) => {
  let compiled: TestGateway;
  let resolving: TestGateway;
  beforeAll(async () => {
    compiled = await startGateway({ database: 'postgresql', env: { JOURNAL: journal, LOCK_SUBMITTED: 'true' } });
    const { databaseUrl } = compiled.config;
    const env = { JOURNAL: journal, LOCK_SUBMITTED: 'true', DATABASE_URL: databaseUrl };
    resolving = await startGateway({ database: 'postgresql', env, compiled: false });
  });
  afterAll(async () => {
    await resolving.close();
    await compiled.close();
  });

  test.each(changes)('%s: %i statements, and the same as by resolvers', async (_, count, mutation) => {
    const [one, other] = [await fresh(), await fresh()];
    let found: unknown;
    const statements = await taken(async () => {
      found = await sent(compiled, mutation, one);
    });
    // A process without a journal needs further statements to find out whether another process keeps it, if one is not
    // enough.
    if (journal === 'true' || count === 1) expect(statements, statements.join('\n')).toHaveLength(count);
    const [outcome, wanted] = [await left(one, found), await left(other, await sent(resolving, mutation, other))];
    expect(outcome).toEqual(wanted);
  });

  test('a line that is not there, or belongs to a submitted document', async () => {
    const [one, other] = [await fresh(), await fresh()];
    for (const variables of [one, other])
      await ask(compiled, 'mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }', { id: variables.id });
    for (const input of ['itemCode: "other"', 'itemCode: "item 2"']) {
      const found = await left(one, await sent(compiled, update(input), one));
      expect(found).toEqual(await left(other, await sent(resolving, update(input), other)));
    }
    const gone = { ...one, two: one.two.replace(/.$/, '~') };
    const found = await left(gone, await sent(compiled, update('itemCode: "other"'), gone));
    expect(found).toEqual(await left(gone, await sent(resolving, update('itemCode: "other"'), gone)));
  });

  test('a line by REST', async () => {
    const { two } = await fresh();
    const path = `/api/assets/asset-repair-consumed-item/${two}`;
    const statements = await taken(async () => {
      expect((await compiled.rest('PATCH', path, { item_code: 'other' })).body.item_code).toBe('other');
    });
    expect(statements, statements.join('\n')).toHaveLength(1);
  });

  test('a line that may belong to any record reads it first', async () => {
    const line = { parent_id: 'SINV-1', parent_type: 'Sales Invoice', mode_of_payment: 'Cash' };
    const { id } = (await compiled.rest('POST', '/api/accounts/sales-invoice-payment', line)).body;
    const mutation = `mutation ($id: ID!) { updateSalesInvoicePayment(id: $id, input: { modeOfPayment: "Card" }) { record { version } } }`;
    const statements = await statementsOf(compiled, mutation, { id });
    expect(statements[0]).toMatch(/^SELECT/);
  });

  /** Another transaction on the same document, and the expected outcome of the change that has to wait for it. */
  const raises = `UPDATE "AssetRepair" SET "version" = "version" + 1 WHERE "id" = $1`;
  const changesLine = (set: string) =>
    `UPDATE "AssetRepairConsumedItem" SET "version" = "version" + 1, ${set} WHERE "assetRepairId" = $1 AND "idx" = 2`;
  test.each<[string, string[], object]>([
    [
      'another line is changed meanwhile',
      [raises, `UPDATE "AssetRepairConsumedItem" SET "version" = 2 WHERE "assetRepairId" = $1 AND "idx" = 1`],
      { version: 3, lines: ['item 1 2', 'other 2'] },
    ],
    [
      'another value of it is set meanwhile',
      [raises, changesLine(`"warehouse" = 'north'`)],
      { version: 3, lines: ['item 1 1', 'other 3'] },
    ],
    [
      'it gets the same value meanwhile',
      [raises, changesLine(`"itemCode" = 'other'`)],
      { version: 2, lines: ['item 1 1', 'other 2'], entries: [] },
    ],
    [
      'it is deleted meanwhile',
      [raises, `DELETE FROM "AssetRepairConsumedItem" WHERE "assetRepairId" = $1 AND "idx" = 2`],
      { reason: 'NOT_FOUND', version: 2, lines: ['item 1 1'], entries: [] },
    ],
    [
      'its document is deleted meanwhile',
      ['DELETE FROM "AssetRepair" WHERE "id" = $1'],
      { reason: 'NOT_FOUND', lines: [], entries: [] },
    ],
    [
      'its document is submitted meanwhile',
      [raises, `UPDATE "AssetRepair" SET "status" = 'submitted' WHERE "id" = $1`],
      { reason: 'INVALID_STATE', version: 2, lines: ['item 1 1', 'item 2 1'], entries: [] },
    ],
  ])('a line where %s', async (_, meanwhile, wanted) => {
    const variables = await fresh();
    const changed = await compiled.database.transaction(async (tx) => {
      for (const sql of meanwhile) await tx.$executeRawUnsafe(sql, variables.id);
      const answered = sent(compiled, update('itemCode: "other"'), variables);
      await expect.poll(() => waitingForLock(compiled.config.databaseUrl)).toBe(1);
      return { answered };
    });
    const { errors } = await changed.answered;
    const { stored, entries } = await left(variables, undefined);
    const lines = stored?.consumedItems.map(
      (line: { itemCode: string; version: number }) => `${line.itemCode} ${line.version}`,
    );
    expect({
      reason: errors?.[0].extensions.code,
      version: stored?.version,
      lines: lines ?? [],
      entries: entries.map(({ action }: { action: string }) => action),
    }).toEqual({ entries: journal === 'true' ? ['update', 'update'] : [], ...wanted });
    for (const { revision } of entries) expect(revision).toBe(stored.version);
  });

  async function fresh() {
    const { id, items } = await createRepair(compiled, repairInput({ consumedItems: 2, purchaseInvoices: 1 }));
    const [one = '', two = ''] = items;
    return { id, one, two };
  }

  async function sent(gateway: TestGateway, mutation: string, variables: Record<string, string>) {
    const used = Object.keys(variables).filter((name) => mutation.includes(`$${name}`));
    const { body } = await gateway.graphql(
      `mutation (${used.map((name) => `$${name}: ID!`).join()}) { ${mutation} }`,
      Object.fromEntries(used.map((name) => [name, variables[name]])),
    );
    return body;
  }

  /** The statements that the compiled gateway sends, without those of transactions and keys. */
  async function taken(work: () => Promise<void>): Promise<string[]> {
    const before = compiled.statements.length;
    await work();
    return compiled.statements.slice(before).filter((sql) => !/^(BEGIN|COMMIT|ROLLBACK)|"ApiKey"|`ApiKey`/i.test(sql));
  }

  /** The answer, the records and the entries of the change, without what differs between two documents. */
  async function left(variables: Record<string, string>, answered: unknown) {
    const { id } = variables;
    const query = `query ($id: ID!) { assetRepair(id: $id) { status version consumedItems { id itemCode warehouse serialNo version idx } } }`;
    const stored = (await ask(compiled, query, { id })).assetRepair;
    const entries = await compiled.database.perform(function* () {
      const found = yield* rows(
        `SELECT "action", "model", "recordId", "documentModel", "documentId", "revision", "version", "changes"
         FROM "JournalEntry" WHERE "documentId" = $1 AND "revision" > 1 AND "action" IN ('update', 'move') ORDER BY "entry"`,
        [id ?? ''],
      );
      return found.map(([action, model, recordId, documentModel, documentId, revision, version, text]) => ({
        ...{ action, model, recordId, documentModel, documentId, revision, version },
        changes: String(text).replace(/"updatedAt":\["[^"]*"\]/, '"updatedAt"'),
      }));
    });
    const names = new Map(Object.entries(variables).map(([name, of]) => [of, name]));
    const text = JSON.stringify({ answered, stored, entries }, (name, value) =>
      name === 'requestId' || name === 'purchaseInvoices' ? undefined : (names.get(value) ?? value),
    );
    return JSON.parse(text);
  }
});
