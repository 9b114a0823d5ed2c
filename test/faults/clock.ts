/** The clock steps back a day while the gateway runs, and is still behind when it starts again. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Committed, differences } from './committed.js';
import { onBoth } from './fault.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { exactly } from './report.js';
import { StreamSubscriber } from './stream-subscriber.js';

const categories = '/api/stock/u-o-m-category';

export const clock = onBoth('a clock that steps back a day', async (provider, place, report) => {
  const databaseUrl = await place.database(provider);
  const file = join(place.folder(), 'a-day-behind');
  const options = {
    databaseUrl,
    flags: ['--import', new URL('step-clock.mjs', import.meta.url).href],
    env: { CLOCK_STEP: file, LOG_LEVEL: 'info' },
  };
  const created: { id: string; created_at: string; updated_at: string }[] = [];
  const create = async (gateway: GatewayProcess) => {
    for (let times = 0; times < 20; times++) {
      created.unshift((await gateway.send('POST', categories, { category_name: 'x' })).body);
    }
  };

  const before = await startGateway(options);
  let gateway = before;
  const follower = new StreamSubscriber('changes', 'stays', 0, () => gateway);
  await create(before);
  writeFileSync(file, String(-24 * 60 * 60 * 1000));
  await create(before);
  await before.stop();
  const lastLine = JSON.parse(before.log.trim().split('\n').at(-1) ?? '{}');
  const after = await startGateway(options);
  gateway = after;
  await create(after);
  rmSync(file);
  await create(after);
  const { body: page } = await after.send('GET', `${categories}?limit=100`);
  const journal = await Committed.in(databaseUrl);
  for (let waited = 0; follower.position < journal.last && waited < 20_000; waited += 100) await sleep(100);
  await follower.stop();
  await after.stop();

  const listed: typeof created = page.data;
  report.holds(
    'the clock was seen to step back',
    Date.parse(lastLine.time) < Date.now() - 60 * 60 * 1000,
    lastLine.time,
  );
  const { missing, wrong } = differences(journal.toBeTold('changes'), follower.told);
  report.figure('changes in the journal', journal.entries.length, exactly(80));
  report.figure('of them not told by a stream, or otherwise', missing + wrong, exactly(0));
  report.figure('records created', created.length, exactly(80));
  report.figure(
    'records out of place in the list',
    listed.filter(({ id }, place_) => id !== created[place_]?.id).length,
    exactly(0),
  );
  // Of the second and the third twenty, the clock was a day behind.
  const daysBehind = created.map(({ created_at }) =>
    Math.round((Date.now() - Date.parse(created_at)) / (24 * 60 * 60 * 1000)),
  );
  report.figure(
    'created_at that is not the time of the clock',
    daysBehind.filter((days, at) => days !== (at >= 20 && at < 60 ? 1 : 0)).length,
    exactly(0),
  );
});
