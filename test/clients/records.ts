import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';

/** A hundred asset repairs, `ASSET-000` the first, in one mutation. */
export async function hundredRepairs(gateway: TestGateway): Promise<void> {
  const inputs = Array.from({ length: 100 }, (_, index) => ({
    asset: `ASSET-${String(index).padStart(3, '0')}`,
    failureDate: '2026-11-20',
  }));
  const create =
    'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
  const { body } = await gateway.graphql(create, { inputs });
  expect(body.errors).toBeUndefined();
}

/** A Serial No with this number, and a job card whose text `serialNo` names it. */
export async function namedSerialNo(
  gateway: TestGateway,
  serialNo: string,
): Promise<{ serialNo: string; jobCard: string }> {
  const create = `mutation ($serial: CreateSerialNoInput!, $card: CreateJobCardInput!) {
    serialNo: createSerialNo(input: $serial) { record { id } }
    jobCard: createJobCard(input: $card) { record { id } }
  }`;
  const serial = { serialNo, itemCode: 'GEAR', company: 'ACME', status: 'Active' };
  const { body } = await gateway.graphql(create, { serial, card: { operation: 'Grinding', serialNo } });
  expect(body.errors).toBeUndefined();
  return { serialNo: body.data.serialNo.record.id, jobCard: body.data.jobCard.record.id };
}
