/** `updatedAt` never decreases, even if of two writers of one record the later one has arrived first. */
import { expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';

onBothDatabases((gateway) => {
  test.each(['its own fields', 'its lines', 'many at once'])('where a record is changed by %s', async (what) => {
    const { body: repair } = await gateway().rest('POST', '/api/assets/asset-repair', {
      asset: 'Press',
      failure_date: '2026-01-31',
    });
    const later = new Date(Date.now() + 60_000);
    const { client } = gateway().database;
    await client.assetRepair.update({ where: { id: repair.id }, data: { updatedAt: later } });
    const { status } =
      what === 'its own fields'
        ? await gateway().rest('PATCH', `/api/assets/asset-repair/${repair.id}`, { asset: 'Mill' })
        : what === 'its lines'
          ? await gateway().rest('POST', '/api/assets/asset-repair-consumed-item', {
              asset_repair_id: repair.id,
              item_code: 'NUT',
              warehouse: 'Main',
            })
          : await gateway().graphql(
              'mutation ($updates: [UpdateManyAssetRepairsItem!]!) { updateManyAssetRepairs(updates: $updates) { records { id } } }',
              { updates: [{ id: repair.id, input: { asset: 'Mill' } }] },
            );
    expect(status).toBeLessThan(300);
    const { body } = await gateway().rest('GET', `/api/assets/asset-repair/${repair.id}`);
    expect(body).toMatchObject({ updated_at: later.toISOString() });
    expect((await client.assetRepair.findUnique({ where: { id: repair.id } }))?.version).toBe(2);
  });
});
