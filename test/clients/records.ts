import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';

/** A hundred asset repairs, `ASSET-000` the first, in one mutation. */
export async function hundredRepairs(gateway: TestGateway): Promise<void> {
  const inputs = Array.from({ length: 100 }, (_, index) => ({
    asset: `ASSET-${String(index).padStart(3, '0')}`,
    failureDate: '2026-11-20',
  }));
  const create = 'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { id } }';
  const { body } = await gateway.graphql(create, { inputs });
  expect(body.errors).toBeUndefined();
}
