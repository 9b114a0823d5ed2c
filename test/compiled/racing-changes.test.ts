/** Changes without Prisma while others write: none is lost, none happens twice, and no answer mixes two states. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask } from '../graphql/ask.js';
import { createRepair, repairInput, upTo } from '../graphql/asset-repairs.js';
import { ofPrisma } from './random-record.js';

const update = `mutation ($id: ID!, $input: UpdateAssetRepairInput!, $expectedVersion: Int) {
  updateAssetRepair(id: $id, input: $input, expectedVersion: $expectedVersion) { record { version asset } }
}`;

onBothDatabases((gateway) => {
  const storedOf = async (id: string) =>
    (await ask(gateway(), 'query ($id: ID!) { assetRepair(id: $id) { version asset } }', { id })).assetRepair;

  test('of writers who have read the same version exactly one wins, and it is the one that is stored', async () => {
    const { id } = await createRepair(gateway());
    const answers = await Promise.all(
      upTo(30).map((writer) =>
        gateway().graphql(update, { id, input: { asset: `asset ${writer}` }, expectedVersion: 1 }),
      ),
    );
    const won = answers.flatMap(({ body }) => (body.errors ? [] : [body.data.updateAssetRepair.record]));
    const lost = answers.flatMap(({ body }) => (body.errors ? [body.errors[0].extensions] : []));
    expect(won).toEqual([await storedOf(id)]);
    expect(won[0].version).toBe(2);
    expect(new Set(lost.map(({ code, currentVersion }) => `${code} ${currentVersion}`))).toEqual(
      new Set(['VERSION_CONFLICT 2']),
    );
  });

  test('writers who expect no version all write, one after the other, and each gets its own version', async () => {
    const { id } = await createRepair(gateway());
    const before = gateway().statements.length;
    const answers = await Promise.all(
      upTo(30).map((writer) => gateway().graphql(update, { id, input: { asset: `asset ${writer}` } })),
    );
    expect(ofPrisma(gateway().statements.slice(before))).toEqual([]);
    const told = answers.map(({ body }) => body.data.updateAssetRepair.record);
    expect(told.map(({ asset }) => asset)).toEqual(upTo(30).map((writer) => `asset ${writer}`));
    const versions = told.map(({ version }) => version).sort((one, other) => one - other);
    expect(versions).toEqual(upTo(30).map((writer) => writer + 1));
    expect(await storedOf(id)).toEqual(told.find(({ version }) => version === 31));
  });

  test('of many who submit exactly one does', async () => {
    const { id } = await createRepair(gateway());
    const submit = 'mutation ($id: ID!) { submitAssetRepair(id: $id) { record { version } } }';
    const answers = await Promise.all(upTo(20).map(() => gateway().graphql(submit, { id })));
    const outcomes = answers.map(
      ({ body }) => body.errors?.[0].extensions.code ?? body.data.submitAssetRepair.record.version,
    );
    expect(outcomes.sort()).toEqual([2, ...Array(19).fill('INVALID_STATE')]);
  });

  test('an update that waited for a writer of a line answers with the line as that one left it', async () => {
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
    const answering = update.replace('version asset', 'version asset consumedItems { itemCode }');
    const [waiting] = await gateway().database.transaction(async (tx) => {
      await tx.assetRepair.update({ where: { id }, data: { version: { increment: 1 } } });
      await tx.assetRepairConsumedItem.update({ where: { id: items[0] ?? '' }, data: { itemCode: 'new' } });
      const answer = gateway().graphql(answering, { id, input: { asset: 'mill' } });
      await sleep(300);
      return [answer];
    });
    const { body } = await waiting;
    const consumedItems = [{ itemCode: 'new' }, { itemCode: 'item 2' }];
    expect(body.data.updateAssetRepair.record).toEqual({ version: 3, asset: 'mill', consumedItems });
  });
});
