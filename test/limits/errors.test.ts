/** A query whose fields fail again and again is refused: every error takes time and room in the answer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mostErrors } from '../../src/limits/answer-meter.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const names = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: repairCost`).join(' ');
const sums = (count: number) => `{ assetRepairAggregate { sum { ${names(count)} } } }`;

describe.each(databaseInTurn(import.meta.filename))('errors of one answer, %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
    for (let made = 0; made < 2; made++) {
      const { body } = await gateway.graphql(
        'mutation { createAssetRepair(input: { asset: "A", failureDate: "2026-01-31", repairCost: 1e308 }) { id } }',
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
    expect(body.errors[0].path).toEqual(['assetRepairAggregate', 'sum', 'a0']);
  });

  test('one more refuses the query, and names the limit', async () => {
    expectRefusal(await gateway.graphql(sums(mostErrors + 1)));
  });

  test('sums that overflow in a fragment, ninety times, are refused', async () => {
    const roots = Array.from({ length: 90 }, (_, index) => `r${index}: assetRepairAggregate { sum { ...S } }`);
    expectRefusal(await gateway.graphql(`{ ${roots.join(' ')} } fragment S on AssetRepairSums { ${names(400)} }`));
  });
});
