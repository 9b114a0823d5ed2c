/** A request whose transaction is undone because of another one, and repeated, is answered as if it had been tried only once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mostRowsWritten } from '../../../src/model/limits.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';

const order = 'SubcontractingInwardOrder';
/** More than half of what a request may write. */
const lines = Math.floor(mostRowsWritten * 0.3);
const inputs = [1, 2].map(() => ({ items: Array.from({ length: lines }, () => ({})) }));

describe.each([
  ['compiled', true],
  ['by the resolvers', false],
])('%s', (_way, compiled) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database: 'postgresql', compiled });
    const { client } = gateway.database;
    // What a sequence counts stays when the transaction is rolled back.
    for (const sql of [
      'CREATE SEQUENCE "attempts"',
      `CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'a conflict' USING ERRCODE = '40001'; END IF; RETURN NULL; END $$`,
      `CREATE CONSTRAINT TRIGGER fail_once AFTER INSERT ON "IndustryType" DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION fail_once()`,
      `CREATE CONSTRAINT TRIGGER fail_once AFTER INSERT ON "${order}" DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW."title" = 'fails once') EXECUTE FUNCTION fail_once()`,
    ])
      await client.$executeRawUnsafe(sql);
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    await gateway.database.client.$executeRawUnsafe('ALTER SEQUENCE "attempts" RESTART');
    gateway.logLines.length = 0;
  });

  const attempts = async () => {
    const [row] = await gateway.database.client.$queryRaw<{ last: bigint }[]>`
      SELECT last_value AS "last" FROM "attempts"`;
    return Number(row?.last);
  };
  const failures = () => gateway.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');

  test('what the first attempt has written does not count', async () => {
    const createMany = `mutation ($inputs: [Create${order}Input!]!) { made: createMany${order}s(inputs: $inputs) { records { id } } }`;
    const failing = inputs.map((input) => ({ ...input, title: 'fails once' }));
    const { body } = await gateway.graphql(createMany, { inputs: failing });
    expect(body.errors).toBeUndefined();
    // One for each of the two orders, and the one that failed.
    expect(await attempts()).toBe(3);
    expect(failures()).toEqual([]);
  });

  test.each([
    ['with an Idempotency-Key', '', { 'Idempotency-Key': `attempts ${compiled}`.replace(' ', '-') }],
    ['with lists in the answer', 'items { id }', undefined],
  ])('what the fields before have written does not count twice, %s', async (_name, selection, headers) => {
    const { body } = await gateway.graphql(
      `mutation ($inputs: [Create${order}Input!]!) {
        made: createMany${order}s(inputs: $inputs) { records { id ${selection} } }
        type: createIndustryType(input: { industry: "any" }) { record { id } }
      }`,
      { inputs },
      headers,
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.made.records).toHaveLength(2);
    expect(await attempts()).toBe(2);
    expect(failures()).toEqual([]);
  });
});
