/** Workers that do not end after they were replaced, or that have to be replaced before they serve. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { run } from '../support/process.js';

/** Serves, and ignores all orders but a question, at which it ends. */
const worker = `process.send({ call: 'served', values: [{ address: {}, isNew: false }] }); setInterval(() => {}, 1000);
  process.on('message', ({ call }) => call === 'report' && process.kill(process.pid, 'SIGKILL'));`;

const primary = (crew: string, path: string, work: string) => `
  import { Crew } from '${crew}';
  const settings = { workers: 2, streamsAtOnce: 1, streamsPerKey: 1, databaseReadUrl: ['postgresql:'] };
  const write = (...said) => console.error(JSON.stringify(said));
  const log = { info: write, warn: write, error: write };
  const crew = new Crew({ program: { path: '${path}', words: [] }, settings, kept: {}, leaveTime: 300, log, giveUp: () => {} });
  const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  ${work}
  while (crew.serving.length < 2) await sleep(20);
  // By then an additional worker would be serving.
  await sleep(1000);
  process.exit(crew.serving.length === 2 ? 0 : 1);
`;

/** Runs a primary process; resolves with what it has logged. */
async function logOf(work: string): Promise<string> {
  const folder = freshFolder();
  const [workerPath, primaryPath] = [join(folder, 'worker.mjs'), join(folder, 'primary.mjs')];
  const crew = pathToFileURL(join(import.meta.dirname, '../../src/gateway/workers/crew.ts')).href;
  writeFileSync(workerPath, worker);
  writeFileSync(primaryPath, primary(crew, workerPath, work));
  const { ended, log } = run(process.execPath, ['--import', import.meta.resolve('tsx'), primaryPath], {});
  expect(await ended, log()).toBe(0);
  return log();
}

test('one that hangs is killed, so that the others are replaced too', async () => {
  const log = await logOf('await crew.start(); while (crew.serving.length < 2) await sleep(20); await crew.renew();');
  expect(log.match(/has not ended in time, and was killed/g)).toHaveLength(2);
  expect(log).toContain('Every worker was replaced');
});

test('before the first one serves none is replaced, and there are as many as there should be', async () => {
  const log = await logOf('crew.renew(); await crew.start();');
  expect(log.match(/A worker serves/g)).toHaveLength(2);
  expect(log).toContain('The workers have not started yet, so none is replaced');
});

test('nobody waits for what one that ends was asked', async () => {
  const log = await logOf(`
    await crew.start();
    while (crew.serving.length < 2) await sleep(20);
    const [asked] = crew.serving;
    const first = asked.report('x').then(() => 'answer');
    write(await Promise.race([first, asked.ended.then(() => sleep(500)).then(() => 'end')]));
  `);
  expect(log).toContain('["answer"]');
});
