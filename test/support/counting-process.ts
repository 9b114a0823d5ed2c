/** A process that adds one to the version of the asset repair `counter` of the database `argv[2]`, `argv[3]` times. */
import { openDatabase } from '../../src/database/open-database.js';

const [, , url = '', times = ''] = process.argv;
const database = await openDatabase({ url, migrate: true });
console.log('open');
let left = Number(times);
await Promise.all(Array.from({ length: 4 }, worker));
await database.close();
// Nothing keeps the process running any longer.
console.log(process.getActiveResourcesInfo().includes('Timeout') ? 'waits for a timer' : 'done');

/** One of a few loops that count at the same time, each waiting for its answer before the next request. */
async function worker(): Promise<void> {
  while (left-- > 0) await countOne().catch((error: unknown) => console.log(`failed: ${error}`));
}

function countOne(): Promise<unknown> {
  return database.transaction(async (tx) => {
    const where = { id: 'counter' };
    const { version } = await tx.assetRepair.findUniqueOrThrow({ where });
    return tx.assetRepair.update({ where, data: { version: version + 1 } });
  });
}
