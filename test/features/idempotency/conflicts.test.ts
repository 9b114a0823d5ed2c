/**
 * After a conflict with another transaction the whole mutation is repeated, whether it runs in its own transaction, in
 * that of an Idempotency-Key, or in that of a possibly large answer.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../../../src/common/work.js';
import { createRepair } from '../../graphql/asset-repairs.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';

const lists = 'consumedItems { itemCode } purchaseInvoices { expenseAccount }';

describe.each([true, false])('compiled: %s', (compiled) => {
  /** The record that is locked after another one has been changed. */
  const partners = new Map<string, string>();
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      database: 'postgresql',
      compiled,
      onChange: [
        // Each locks its first record until the other has locked its own.
        function* ([change]) {
          if (change?.after?.asset === 'never ending') return;
          if (change?.action === 'update' || change?.action === 'submit') yield* rows('SELECT pg_sleep(0.3)::text', []);
          const partner = change?.action === 'submit' && partners.get(change.id);
          if (partner) yield* rows('SELECT "id" FROM "AssetRepair" WHERE "id" = $1 FOR UPDATE', [partner]);
        },
      ],
    });
  });
  afterAll(() => gateway.close());

  const twoRecords = async () => {
    gateway.logLines.length = 0;
    const [one, other] = [await createRepair(gateway), await createRepair(gateway)];
    return [one.id, other.id] as const;
  };
  const codesLogged = () =>
    gateway.logLines
      .map((line) => JSON.parse(line))
      .flatMap(({ errors = [], codes = [] }) => [errors, codes])
      .flat();

  // Two fields are never compiled.
  test.runIf(compiled).each([
    ['with an Idempotency-Key', 'asset', true],
    ['with an Idempotency-Key and lists in the answer', `asset ${lists}`, true],
    ['with lists in the answer', `asset ${lists}`, false],
  ])('of two in a deadlock both happen, %s', async (name, selection, isOnce) => {
    const [one, other] = await twoRecords();
    const send = (first: string, second: string, asset: string) =>
      gateway.graphql(
        `mutation ($first: ID!, $second: ID!, $asset: String) {
          first: updateAssetRepair(id: $first, input: { asset: $asset }) { record { ${selection} } }
          second: updateAssetRepair(id: $second, input: { asset: $asset }) { record { ${selection} } }
        }`,
        { first, second, asset },
        isOnce ? { 'Idempotency-Key': `${name.replaceAll(' ', '-')}-${asset}` } : {},
      );
    const answers = await Promise.all([send(one, other, 'saw'), send(other, one, 'mill')]);
    for (const [index, { status, body }] of answers.entries()) {
      const asset = ['saw', 'mill'][index];
      expect([status, body]).toMatchObject([
        200,
        { data: { first: { record: { asset } }, second: { record: { asset } } } },
      ]);
    }
    const versions = await gateway.graphql(
      `{ a: assetRepair(id: "${one}") { version } b: assetRepair(id: "${other}") { version } }`,
    );
    expect(versions.body.data).toEqual({ a: { version: 3 }, b: { version: 3 } });
    expect(codesLogged()).toEqual([]);
  });

  test.each(['with', 'without'])('also over REST, %s an Idempotency-Key', async (withKey) => {
    const [one, other] = await twoRecords();
    partners.set(one, other).set(other, one);
    const submit = (id: string) => {
      const headers: Record<string, string> = withKey === 'with' ? { 'Idempotency-Key': id } : {};
      return gateway.rest('POST', `/api/assets/asset-repair/${id}/submit`, undefined, headers);
    };
    const answers = await Promise.all([submit(one), submit(other)]);
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
      [200, 'submitted'],
      [200, 'submitted'],
    ]);
    expect(codesLogged()).toEqual([]);
  });

  test.runIf(compiled)('one that does not end is answered busy, and nothing of the mutation is kept', async () => {
    const [one, other] = await twoRecords();
    const { database } = gateway;
    await database.client.$executeRawUnsafe(
      `CREATE OR REPLACE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW."asset" = 'never' THEN RAISE EXCEPTION 'a conflict' USING ERRCODE = '40001'; END IF; RETURN NEW; END $$`,
    );
    await database.client.$executeRawUnsafe(
      'CREATE OR REPLACE TRIGGER never BEFORE UPDATE ON "AssetRepair" FOR EACH ROW EXECUTE FUNCTION never()',
    );
    for (const headers of [undefined, { 'Idempotency-Key': 'never' }]) {
      const answer = await gateway.graphql(
        `mutation ($one: ID!, $other: ID!) {
          first: updateAssetRepair(id: $one, input: { asset: "never ending" }) { record { ${lists} } }
          second: updateAssetRepair(id: $other, input: { asset: "never" }) { record { ${lists} } }
        }`,
        { one, other },
        headers,
      );
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).not.toBeNull();
      expect(answer.body.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', reason: 'busy' } }]);
      const { body } = await gateway.graphql('query ($one: ID!) { assetRepair(id: $one) { version asset } }', { one });
      expect(body.data.assetRepair).toEqual({ version: 1, asset: 'lathe' });
    }
  });
});
