/** A query whose fields fail again and again is refused: every error takes time and room in the answer. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mostErrorDetails } from '../../src/gateway/http/graphql-result.js';
import { createSchema } from '../../src/graphql/create-schema.js';
import { mostErrors } from '../../src/graphql/limits/answer-meter.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { serving } from '../support/schema.js';

const names = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: sum`).join(' ');
const sums = (count: number) => `{ assetRepairAggregate { repairCost { ${names(count)} } } }`;

describe.each(databaseInTurn(import.meta.filename))('errors of one answer, %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
    for (let made = 0; made < 2; made++) {
      const { body } = await gateway.graphql(
        'mutation { createAssetRepair(input: { asset: "A", failureDate: "2026-01-31", repairCost: 1e308 }) { record { id } } }',
      );
      expect(body.errors).toBeUndefined();
    }
  });
  afterAll(() => gateway.close());

  function expectRefusal({ status, body }: Awaited<ReturnType<TestGateway['graphql']>>): void {
    expect(status).toBe(400);
    expect(body).not.toHaveProperty('data');
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].message).toContain(`more than ${mostErrors} errors`);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'QUERY_TOO_COMPLEX',
      reason: 'query_too_complex',
      measure: 'errors',
      limit: mostErrors,
    });
  }

  test('as many as the limit are answered, each with its path', async () => {
    const { status, body } = await gateway.graphql(sums(mostErrors));
    expect(status).toBe(200);
    expect(body.errors).toHaveLength(mostErrors);
    expect(body.errors[0].path).toEqual(['assetRepairAggregate', 'repairCost', 'a0']);
  });

  test('one more refuses the query, and names the limit', async () => {
    expectRefusal(await gateway.graphql(sums(mostErrors + 1)));
  });

  test('sums that overflow in a fragment, ninety times, are refused', async () => {
    const roots = Array.from({ length: 90 }, (_, index) => `r${index}: assetRepairAggregate { repairCost { ...S } }`);
    expectRefusal(await gateway.graphql(`{ ${roots.join(' ')} } fragment S on FloatAggregate { ${names(400)} }`));
  });

  test('each failed change has an error, only the first ones with details', async () => {
    const long = '\\u0001'.repeat(255);
    const changes = Array.from(
      { length: 100 },
      (_, index) => `a${index}: deleteManyIndustryTypes(ids: $ids) { deletedIds }`,
    );
    const ids = Array.from({ length: 100 }, (_, index) => JSON.parse(`"${long}"`) + index);
    const { status, body, text } = await gateway.graphql(`mutation ($ids: [ID!]!) { ${changes.join(' ')} }`, { ids });
    expect([status, body.errors.length]).toEqual([200, 100]);
    expect(text.length).toBeLessThan(2 * mostErrorDetails);
    const [first, ...others] = body.errors;
    expect(first.extensions.errors.length).toBeGreaterThan(10);
    const { path, message, extensions } = others.at(-1);
    expect([path, message]).toEqual([['a99'], first.message]);
    expect(Object.keys(extensions)).toEqual(['code', 'reason', 'requestId']);
  });
});

test('after a hundred failed fields in the answer to a change no more fields are executed, but each change is made', async () => {
  let asked = 0;
  const schema = createSchema({
    resources,
    features: [
      ...serving,
      {
        schema: (builder) =>
          builder.prismaObjectField('IndustryType', 'fails', (t) =>
            t.string({
              nullable: true,
              resolve: () => {
                asked++;
                throw new Error('It failed');
              },
            }),
          ),
      },
    ],
  });
  const gateway = await startGateway({ schema });
  onTestFinished(() => gateway.close());
  const fields = Array.from({ length: 90 }, (_, index) => `a${index}: fails`).join(' ');
  const change = (name: string) =>
    `${name}: createManyIndustryTypes(inputs: [{ industry: "${name}" }, { industry: "x" }]) { records { industry ${fields} } }`;
  const { status, body } = await gateway.graphql(`mutation { ${change('b')} ${change('c')} }`);
  expect([status, asked]).toEqual([200, mostErrors + 1]);
  expect(body.errors).toHaveLength(mostErrors + 1);
  expect(body.errors.at(-1)).toMatchObject({ extensions: { reason: 'query_too_complex', measure: 'errors' } });
  expect(body.errors.at(-1)).not.toHaveProperty('path');
  const { body: read } = await gateway.graphql('{ industryTypes { totalCount } }');
  expect(read.data.industryTypes.totalCount).toBe(4);
});
