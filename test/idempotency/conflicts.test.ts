/** A conflict with another transaction repeats the whole mutation, also inside the transaction of an Idempotency-Key. */
import { expect, test } from 'vitest';
import { rows } from '../../src/work.js';
import { createRepair } from '../graphql/asset-repairs.js';
import { startGateway } from '../support/gateway.js';

test.each([true, false])('of two in a deadlock both happen, compiled: %s', async (compiled) => {
  const gateway = await startGateway({
    database: 'postgresql',
    compiled,
    onChange: [
      // Each holds its first record until the other has its own.
      function* ([change]) {
        if (change?.action === 'update') yield* rows('SELECT pg_sleep(0.3)::text', []);
      },
    ],
  });
  const [one, other] = [await createRepair(gateway), await createRepair(gateway)];
  const send = (first: string, second: string, asset: string) =>
    gateway.graphql(
      `mutation ($first: ID!, $second: ID!, $asset: String) {
        first: updateAssetRepair(id: $first, input: { asset: $asset }) { asset }
        second: updateAssetRepair(id: $second, input: { asset: $asset }) { asset }
      }`,
      { first, second, asset },
      { 'Idempotency-Key': `deadlock-${asset}-${compiled}` },
    );
  const answers = await Promise.all([send(one.id, other.id, 'saw'), send(other.id, one.id, 'mill')]);
  const versions = await gateway.graphql(
    `{ a: assetRepair(id: "${one.id}") { version } b: assetRepair(id: "${other.id}") { version } }`,
  );
  await gateway.close();
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    ['saw', 'mill'].map((asset) => [200, { data: { first: { asset }, second: { asset } } }]),
  );
  expect(versions.body.data).toEqual({ a: { version: 3 }, b: { version: 3 } });
  const codes = gateway.logLines
    .map((line) => JSON.parse(line))
    .flatMap(({ errors = [], codes = [] }) => [errors, codes]);
  expect(codes.flat()).toEqual([]);
});
