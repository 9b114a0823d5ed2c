/**
 * A document with more lines than fit into one answer, or into the arguments of one call, is deleted, also with an
 * observer.
 */
import { describe, expect, test } from 'vitest';
import { createRepair } from '../graphql/asset-repairs.js';
import { startGateway } from '../support/gateway.js';
import { isChosen, runs } from '../support/thorough.js';

/** More than a call takes as arguments; on PostgreSQL, where they take their time, more than ANSWER_LIMIT lets be loaded. */
const lines = { sqlite: 130_000, postgresql: runs(20_000, 130_000) };

const ways = [
  ['sqlite', true],
  ['postgresql', true],
  ['postgresql', false],
] as const;

describe.each(ways.filter((_, index) => isChosen(index, ways.length)))('on %s, compiled: %s', (database, compiled) => {
  const count = lines[database];

  test('all lines are reported', async () => {
    let told = 0;
    const gateway = await startGateway({
      database,
      compiled,
      env: { ANSWER_LIMIT: '1', REQUEST_TIMEOUT: '60' },
      onChange: [
        // biome-ignore lint/correctness/useYield: it only counts
        function* (changes) {
          told = changes.length;
        },
      ],
    });
    const { id } = await createRepair(gateway);
    const numbers =
      database === 'sqlite'
        ? `(WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n)`
        : `(SELECT generate_series(1, ${count}) AS i)`;
    await gateway.database.client.$executeRawUnsafe(
      `INSERT INTO "AssetRepairConsumedItem" ("id", "idx", "assetRepairId", "itemCode", "warehouse")
         SELECT 'line-' || i, i, '${id}', 'an item of a name that is not short at all ' || i, 'the warehouse' FROM ${numbers} AS numbers`,
    );
    const { body } = await gateway.graphql('mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', {
      id,
    });
    await gateway.close();
    expect(body).toEqual({ data: { deleteAssetRepair: { deletedId: id } } });
    expect(told).toBe(count + 1);
  });
});
