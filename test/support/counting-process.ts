/** A process that adds one to the version of the asset repair `counter` of the database `argv[2]`, `argv[3]` times. */
import { openDatabase } from '../../src/database/open.js';

const [, , url = '', times = ''] = process.argv;
const database = await openDatabase({ url, migrate: true });
console.log('open');
const outcomes = await Promise.allSettled(
  Array.from({ length: Number(times) }, () =>
    database.transaction(async (tx) => {
      const where = { id: 'counter' };
      const { version } = await tx.assetRepair.findUniqueOrThrow({ where });
      await tx.assetRepair.update({ where, data: { version: version + 1 } });
    }),
  ),
);
await database.close();
for (const outcome of outcomes) if (outcome.status === 'rejected') console.log(`failed: ${outcome.reason}`);
console.log('done');
