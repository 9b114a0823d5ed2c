/**
 * Pages at every kind of offset, which are read from the nearer end of the list, are the same as those of the
 * resolvers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepairs } from '../graphql/asset-repairs.js';
import { providers, shareOf } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const query = `query ($first: Int, $offset: Int) {
  counted: assetRepairs(first: $first, offset: $offset) {
    nodes { id } pageInfo { hasNextPage endCursor } totalCount
  }
  uncounted: assetRepairs(first: $first, offset: $offset) {
    edges { cursor node { id asset } } pageInfo { hasNextPage hasPreviousPage }
  }
}`;

describe.each(providers)('on %s', (database) => {
  let compiled: TestGateway;
  let resolved: TestGateway;
  /** Newest first. */
  const ids: string[] = [];

  beforeAll(async () => {
    compiled = await startGateway({ database });
    resolved = await startGateway({ env: { DATABASE_URL: compiled.config.databaseUrl }, compiled: false });
  });
  afterAll(async () => {
    await resolved.close();
    await compiled.close();
  });

  /** Creates records, and each time deletes one from the middle, so that the list has gaps. */
  async function listOf(total: number) {
    if (total === ids.length) return;
    ids.unshift(...(await createRepairs(compiled, total - ids.length + 1)).reverse());
    const [gone] = ids.splice(Math.floor(ids.length / 2), 1);
    expect((await compiled.rest('DELETE', `/api/assets/asset-repair/${gone}`)).status).toBe(200);
  }

  test.each(shareOf(database, [0, 1, 2, 5, 24, 23]).toSorted((one, other) => one - other))(
    'every page of %i records is that of the resolvers',
    async (total) => {
      await listOf(total);
      const offsets = new Set(
        [0, 1, total / 2 - 1, total / 2, total / 2 + 1, total - 1, total, total + 1].map(Math.floor),
      );
      for (const offset of [...offsets, 2_147_483_646, 2_147_483_647].filter((offset) => offset >= 0)) {
        for (const first of [1, 2, 20]) {
          const before = compiled.statements.length;
          const { body } = await compiled.graphql(query, { first, offset });
          const ran = compiled.statements.slice(before).filter((sql) => sql.startsWith('WITH counted'));
          const here = `${first} at ${offset}`;

          expect([here, body]).toEqual([here, (await resolved.graphql(query, { first, offset })).body]);
          expect([here, body.data.counted.nodes.map(({ id }: { id: string }) => id)]).toEqual([
            here,
            ids.slice(offset, offset + first),
          ]);
          expect(ran, here).toHaveLength(offset > 0 ? 2 : 0);
        }
      }
      expect(compiled.logLines.filter((line) => line.includes('compiled read failed'))).toEqual([]);
    },
  );
});
