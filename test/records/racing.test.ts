/** Many simultaneous requests for one record, through both surfaces, in one process. */
import { describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import type { TestGateway } from '../support/gateway.js';
import { type Body, type Outcome, race, restClient } from './record-clients.js';

onBothDatabases((gateway) => {
  describe('states', () => {
    test('of 50 simultaneous submits of one draft exactly one wins', async () => {
      const { id } = await draft(gateway());
      const outcomes = await race(gateway(), 50, (client) => client.submit('AssetRepair', id));

      expectOneWinner(outcomes, { refusal: 'invalid_state', status: 409 });
      expect(await repair(gateway(), id)).toMatchObject({ status: 'submitted', version: 2 });
    });

    test('of 50 simultaneous cancels of one submitted record exactly one wins', async () => {
      const { id } = await draft(gateway());
      await restClient(gateway()).submit('AssetRepair', id);
      const outcomes = await race(gateway(), 50, (client) => client.cancel('AssetRepair', id));

      expectOneWinner(outcomes, { refusal: 'invalid_state', status: 409 });
      expect(await repair(gateway(), id)).toMatchObject({ status: 'cancelled', version: 3 });
    });

    test('of simultaneous submits and cancels at most one each wins, and the state is that of the last winner', async () => {
      const { id } = await draft(gateway());
      const outcomes = await race(gateway(), 40, async (client, index) => {
        const action = index % 4 < 2 ? 'submit' : 'cancel';
        return { action, ...(await client[action]('AssetRepair', id)) };
      });

      const winners = outcomes.filter(({ record }) => record).map(({ action }) => action);
      expect(winners.toSorted()).toEqual(winners.length === 1 ? ['submit'] : ['cancel', 'submit']);
      const status = winners.length === 1 ? 'submitted' : 'cancelled';
      expect(await repair(gateway(), id)).toMatchObject({ status, version: 1 + winners.length });
    });

    test('of 20 simultaneous deletes exactly one wins', async () => {
      const { id } = await draft(gateway());
      const outcomes = await race(gateway(), 20, (client) => client.remove('AssetRepair', id));
      expectOneWinner(outcomes, { refusal: 'resource_missing', status: 404 });
    });
  });

  describe('updates', () => {
    test('of different fields at once are all kept', async () => {
      const { id } = await draft(gateway());
      const fields = [
        'description',
        'downtime',
        'asset_name',
        'cost_center',
        'project',
        'company',
        'actions_performed',
      ];
      const outcomes = await race(gateway(), fields.length, (client, index) =>
        client.update('AssetRepair', id, { [String(fields[index])]: `by ${index}` }),
      );

      expect(outcomes.map(({ status }) => status)).toEqual(fields.map(() => 200));
      const { version, ...kept } = await repair(gateway(), id);
      expect(version).toBe(1 + fields.length);
      expect(fields.map((field) => kept[field])).toEqual(fields.map((_, index) => `by ${index}`));
    });

    test('of one field at once leave the value of one of them, and a version for each', async () => {
      const { id } = await draft(gateway());
      await race(gateway(), 20, (client, index) => client.update('AssetRepair', id, { repair_cost: index + 1 }));
      const { version, repair_cost } = await repair(gateway(), id);
      expect(version).toBe(21);
      expect(Array.from({ length: 20 }, (_, index) => index + 1)).toContain(repair_cost);
    });

    test('of 20 that expect the same version exactly one wins', async () => {
      const { id } = await draft(gateway());
      const outcomes = await race(gateway(), 20, (client, index) =>
        client.update('AssetRepair', id, { description: `by ${index}` }, 1),
      );

      const winner = expectOneWinner(outcomes, { refusal: 'version_conflict', status: 412 });
      expect(await repair(gateway(), id)).toMatchObject({ version: 2, description: winner.description });
    });

    test('that expect the version they have read, and read again when refused, all happen once', async () => {
      const { id } = await draft(gateway());
      await race(gateway(), 10, async (client) => {
        for (let outcome: Outcome | undefined; !outcome?.record; ) {
          const { version, repair_cost } = await repair(gateway(), id);
          outcome = await client.update('AssetRepair', id, { repair_cost: Number(repair_cost) + 1 }, Number(version));
        }
      });
      expect(await repair(gateway(), id)).toMatchObject({ repair_cost: 10, version: 11 });
    });
  });
});

async function draft(gateway: TestGateway): Promise<Body & { id: string }> {
  const { record } = await restClient(gateway).create('AssetRepair', { asset: 'PRESS-1', failure_date: '2026-01-31' });
  if (!record) throw new Error('No draft was made');
  return record;
}

async function repair(gateway: TestGateway, id: string): Promise<Body> {
  const [{ headers, body }, { body: asked }] = await Promise.all([
    gateway.rest('GET', `/api/assets/asset-repair/${id}`),
    gateway.graphql('query ($id: ID!) { assetRepair(id: $id) { version } }', { id }),
  ]);
  const version = Number(headers.get('etag')?.replaceAll('"', ''));
  return { ...body, version, versionByGraphql: asked.data.assetRepair.version };
}

/** All but one are refused in the given way; REST says so by its status. Returns the record of the one. */
function expectOneWinner(outcomes: Outcome[], refused: { refusal: string; status: number }): Body {
  const winners = outcomes.flatMap(({ record }) => record ?? []);
  expect(winners).toHaveLength(1);
  for (const [index, { record, refusal, status }] of outcomes.entries()) {
    if (!record) expect({ refusal, status }).toEqual({ ...refused, status: index % 2 === 0 ? refused.status : 200 });
  }
  return winners[0] ?? {};
}
