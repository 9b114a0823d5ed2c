/** The process is killed in the middle of writes, again and again, on the same database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { onBoth, workers } from './fault.js';
import { startGateway, Unexpected } from './gateway-process.js';
import { Ledger } from './ledger.js';
import { exactly, tried } from './report.js';
import { damages, numberOf } from './rows.js';
import { writeOnce } from './writer.js';

const rounds = 30;
const clients = 8;

export const crash = onBoth('kill -9 while writing', async (provider, place, report, progress) => {
  const databaseUrl = await place.database(provider);
  const ledger = new Ledger();
  const found = { lost: 0, halfMade: 0, cutOff: 0, unexpected: 0 };

  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}, ${ledger.acknowledged} acknowledged`);
    const gateway = await startGateway({ databaseUrl });
    await compare();
    const writing = workers(clients, async (client) => {
      try {
        await writeOnce(gateway, ledger, `client ${client}`);
        return true;
      } catch (error) {
        if (!(error instanceof Unexpected)) found.cutOff++;
        else {
          found.unexpected++;
          console.log(`    ${error.message}`);
        }
        return false;
      }
    });
    const enough = ledger.acknowledged + 20 + Math.random() * 60;
    for (let waited = 0; ledger.acknowledged < enough && waited < 3000; waited += 5) await sleep(5);
    await sleep(Math.random() * 20);
    gateway.kill('SIGKILL');
    await Promise.all([writing, gateway.ended]);
  }
  const gateway = await startGateway({ databaseUrl });
  await compare();
  const { body } = await gateway.send('GET', '/api/assets/asset-repair?limit=1');
  const stored = await numberOf(databaseUrl, 'SELECT count(*) FROM "AssetRepair"');
  await gateway.stop();

  report.figure('rounds', rounds, exactly(30));
  report.figure('writes acknowledged', ledger.acknowledged, tried(500));
  report.figure('requests cut off by the kill', found.cutOff, tried(rounds));
  report.figure('acknowledged and lost', found.lost, exactly(0));
  report.figure('half-made documents', found.halfMade, exactly(0));
  report.figure('unexpected answers', found.unexpected, exactly(0));
  report.figure('total minus count(*)', body.total - stored, exactly(0));
  report.figure('damages found by the database itself', (await damages(databaseUrl)).length, exactly(0));

  async function compare(): Promise<void> {
    const { lost, halfMade } = await ledger.compare(databaseUrl);
    found.lost += lost.length;
    found.halfMade += halfMade.length;
    for (const line of [...lost, ...halfMade]) console.log(`    ${line}`);
  }
});
