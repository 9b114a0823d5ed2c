/** A worker that does not end when another one has taken its place. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { run } from '../support/process.js';

/** Serves, and does nothing that it is told. */
const worker = `process.send({ kind: 'served', served: { address: {}, isNew: false } }); setInterval(() => {}, 1000);`;

const primary = (crew: string, path: string) => `
  import { Crew } from '${crew}';
  const settings = { host: '', port: 0, workers: 2, metricsPort: undefined, streamsAtOnce: 1, streamsPerKey: 1 };
  const write = (...said) => console.error(JSON.stringify(said));
  const log = { info: write, warn: write, error: write };
  const crew = new Crew({ program: { path: '${path}', words: [] }, settings, leaveTime: 300, log, giveUp: () => {} });
  await crew.start();
  await new Promise((done) => setTimeout(done, 500));
  await crew.renew();
  process.exit(crew.serving.length === 2 ? 0 : 1);
`;

test('is killed, so that the others are replaced too', async () => {
  const folder = freshFolder();
  const [workerPath, primaryPath] = [join(folder, 'worker.mjs'), join(folder, 'primary.mjs')];
  const crew = pathToFileURL(join(import.meta.dirname, '../../src/workers/crew.ts')).href;
  writeFileSync(workerPath, worker);
  writeFileSync(primaryPath, primary(crew, workerPath));
  const { ended, log } = run(process.execPath, ['--import', import.meta.resolve('tsx'), primaryPath], {});
  expect(await ended, log()).toBe(0);
  expect(log().match(/has not ended in time, and was killed/g)).toHaveLength(2);
  expect(log()).toContain('Every worker was replaced');
});
