/** Ten thousand writes beside transactions that change rows and then roll back, watched by readers. */
import { onBoth, workers } from './fault.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { exactly, tried } from './report.js';
import { rowsOf } from './rows.js';

const writes = 10_000;
const categories = '/api/stock/u-o-m-category';
const repairs = '/api/assets/asset-repair';

export const rollbacks = onBoth('10,000 writes beside rollbacks', async (provider, place, report, progress) => {
  const databaseUrl = await place.database(provider);
  const gateway = await startGateway({ databaseUrl });
  const { repairId, lineIds } = await makeRepair(gateway);
  const before = JSON.stringify(await seen(gateway, repairId));
  const acknowledged = new Set<string>();
  const found = { failed: 0, rolledBack: 0, notRefused: 0, reads: 0, dirty: 0 };
  let asked = 0;
  let writing = true;

  const writers = workers(32, async () => {
    if (asked >= writes) return false;
    const { status, body } = await gateway.send('POST', categories, { category_name: `number ${++asked}` });
    if (status === 201) acknowledged.add(body.id);
    else found.failed++;
    if (asked % 500 === 0) progress(`${asked} of ${writes}`);
    return true;
  }).then(() => {
    writing = false;
  });
  // Each moves the last line to the front and only then finds that the version it expects is a wrong one.
  const undoers = workers(4, async () => {
    const { status } = await gateway.send(
      'PATCH',
      `${repairs}-consumed-item/${lineIds.at(-1)}`,
      { idx: 1 },
      { 'if-match': '"99999"' },
    );
    if (status === 412) found.rolledBack++;
    else found.notRefused++;
    return writing;
  });
  const readers = workers(2, async () => {
    found.reads++;
    if (JSON.stringify(await seen(gateway, repairId)) !== before) found.dirty++;
    return writing;
  });
  await Promise.all([writers, undoers, readers]);

  const stored = new Set((await rowsOf(databaseUrl, 'SELECT "id" FROM "UOMCategory"')).map(({ id }) => String(id)));
  const { body } = await gateway.send('GET', `${categories}?limit=1`);
  await gateway.stop();

  report.figure('writes acknowledged', acknowledged.size, exactly(writes));
  report.figure('transactions rolled back beside them', found.rolledBack, tried(100));
  report.figure('acknowledged and lost', [...acknowledged].filter((id) => !stored.has(id)).length, exactly(0));
  report.figure('kept though not acknowledged', stored.size - acknowledged.size, exactly(0));
  report.figure('reads meanwhile', found.reads, tried(100));
  report.figure('dirty reads', found.dirty, exactly(0));
  report.figure('unexpected answers', found.failed + found.notRefused, exactly(0));
  report.figure('total minus count(*)', body.total - stored.size, exactly(0));
});

async function makeRepair(gateway: GatewayProcess): Promise<{ repairId: string; lineIds: string[] }> {
  const {
    record: { record },
  } = await gateway.graphql(
    `mutation ($input: CreateAssetRepairInput!) { record: createAssetRepair(input: $input) { record { id consumedItems { id } } } }`,
    {
      input: {
        asset: 'press',
        failureDate: '2026-01-31',
        consumedItems: Array.from({ length: 10 }, () => ({ itemCode: 'bolt', warehouse: 'main' })),
      },
    },
  );
  return { repairId: record.id, lineIds: record.consumedItems.map(({ id }: { id: string }) => id) };
}

const fields = '{ version updatedAt consumedItems { id idx version } }';

/** All that the transactions which roll back would change, as a compiled read and as the resolvers see it. */
async function seen(gateway: GatewayProcess, id: string): Promise<unknown[]> {
  const compiled = await gateway.graphql(`query ($id: ID!) { assetRepair(id: $id) ${fields} }`, { id });
  const resolved = await gateway.graphql(`{ assetRepairs(where: { asset: { eq: "press" } }) { nodes ${fields} } }`);
  return [compiled.assetRepair, ...resolved.assetRepairs.nodes];
}
