/** Two gateways on one SQLite file: slower, never wrong. */
import { type Fault, workers } from './fault.js';
import { startGateway } from './gateway-process.js';
import { exactly } from './report.js';
import { damages, numberOf, rowsOf } from './rows.js';

const perClient = 60;
const clients = 8;

export const twoProcesses: Fault = {
  title: 'two processes on one SQLite file',
  async run(place, report) {
    const databaseUrl = await place.database('sqlite');
    const first = await startGateway({ databaseUrl });
    const second = await startGateway({ databaseUrl });
    const body = { asset: 'press', failure_date: '2026-01-31' };
    const { body: repair } = await first.send('POST', '/api/assets/asset-repair', body);
    const done = Array.from({ length: clients }, () => 0);
    let failed = 0;

    // Each line moves all others and raises the version of the one parent: no write may miss another.
    await workers(clients, async (client) => {
      const gateway = client % 2 === 0 ? first : second;
      const line = { asset_repair_id: repair.id, idx: 1, item_code: 'bolt', warehouse: 'main' };
      const answers = await Promise.all([
        gateway.send('POST', '/api/assets/asset-repair-consumed-item', line),
        gateway.send('POST', '/api/stock/u-o-m-category', { category_name: 'x' }),
      ]);
      failed += answers.filter(({ status }) => status !== 201).length;
      done[client] = (done[client] ?? 0) + 1;
      return (done[client] ?? 0) < perClient;
    });

    const [counter] = await rowsOf(databaseUrl, 'SELECT "version" FROM "AssetRepair"');
    const places = 'SELECT count(DISTINCT "idx") FROM "AssetRepairConsumedItem" WHERE "idx" BETWEEN 1 AND';
    const { body: page } = await second.send('GET', '/api/stock/u-o-m-category?limit=1');
    await Promise.all([first.stop(), second.stop()]);

    const writes = clients * perClient;
    report.figure('transactions of each kind', writes, exactly(writes));
    report.figure('failed transactions', failed, exactly(0));
    report.figure('counter raised by each of them', Number(counter?.version) - 1, exactly(writes));
    report.figure('places 1 … n that are taken', await numberOf(databaseUrl, `${places} ${writes}`), exactly(writes));
    report.figure('total of the other kind', page.total, exactly(writes));
    report.figure('damages found by the database itself', (await damages(databaseUrl)).length, exactly(0));
  },
};
