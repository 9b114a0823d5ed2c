/** Whoever writes several records locks them in the order of their ids, so that no two wait for each other. */
import { expect, test } from 'vitest';
import { createRepairs } from '../graphql/asset-repairs.js';
import { startGateway } from '../support/gateway.js';
import { waitingForLock } from '../support/waiting-for-lock.js';

test.each([
  [
    'updateMany',
    'updateManyAssetRepairs(updates: [{ id: $b, input: { asset: "saw" } }, { id: $a, input: { asset: "saw" } }]) { records { id } }',
  ],
  ['deleteMany', 'deleteManyAssetRepairs(ids: [$b, $a]) { deletedIds }'],
  ['actOnMany', 'actOnManyAssetRepairs(ids: [$b, $a], action: SUBMIT) { results { done } }'],
])('%s of the later one first', async (_, call) => {
  const gateway = await startGateway({ database: 'postgresql' });
  const [a, b] = (await createRepairs(gateway, 2)).sort();
  const { free, answer } = await gateway.database.transaction(async (tx) => {
    await tx.$queryRaw`SELECT "id" FROM "AssetRepair" WHERE "id" = ${b} FOR UPDATE`;
    const answer = gateway.graphql(`mutation ($a: ID!, $b: ID!) { ${call} }`, { a, b });
    await expect.poll(() => waitingForLock(gateway.config.databaseUrl)).toBe(1);
    // The first is already locked by the transaction that waits for the second.
    const free = await tx.$queryRaw`SELECT "id" FROM "AssetRepair" WHERE "id" = ${a} FOR UPDATE SKIP LOCKED`;
    return { free, answer: { value: answer } };
  });
  const { body } = await answer.value;
  await gateway.close();
  expect(body.errors).toBeUndefined();
  expect(free).toEqual([]);
});
