/**
 * Long reads of SQLite are paused for other requests while the gateway is busy, and no paused process is left behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, inject, test } from 'vitest';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { PausableProcess } from '../../src/database/sqlite/reader.js';
import { ReaderPacing, SqliteReaderPool } from '../../src/database/sqlite/reader-pool.js';
import { freshDatabaseUrl } from '../support/database.js';
import { runningProcesses } from '../support/running-processes.js';

const started: (number | undefined)[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (pid !== undefined && stateOf(pid)) process.kill(pid, 'SIGKILL');
});

function sleeper(): ChildProcess {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  started.push(child.pid);
  return child;
}

const stateOf = (id: number | undefined) => runningProcesses().find(({ pid }) => pid === id);
const isStopped = (id: number | undefined) => stateOf(id)?.isStopped;
const keepersOf = (id: number | undefined) =>
  runningProcesses().filter(({ command }) => command.includes(`-CONT "$0" ${id}`));

async function until(holds: () => unknown): Promise<void> {
  for (let waited = 0; !holds() && waited < 60_000; waited += 20) await sleep(20);
  expect(holds()).toBeTruthy();
}

/** Calls `holds` again and again, so that the event loop is never idle. */
async function whileBusyUntil(holds: () => unknown): Promise<void> {
  const endsAt = performance.now() + 60_000;
  while (!holds() && performance.now() < endsAt) await turn();
  expect(holds()).toBeTruthy();
}

test('a reader is paused in turns while the event loop is busy, and goes on when its read is over', async () => {
  const child = sleeper();
  const reader = new PausableProcess(child);
  const pacing = new ReaderPacing();
  pacing.add(reader);
  for (let round = 0; round < 3; round++) {
    await whileBusyUntil(() => isStopped(child.pid));
    await whileBusyUntil(() => !isStopped(child.pid));
  }
  await whileBusyUntil(() => isStopped(child.pid));
  pacing.delete(reader);
  await until(() => !isStopped(child.pid));
});

test('the pool paces whatever its readers read', async () => {
  const pool = new SqliteReaderPool(sqlitePath(await freshDatabaseUrl('sqlite')), {
    readerProgram: join(inject('testRun').built, 'src/database/sqlite/reader-process.js'),
  });
  const counting = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c';
  const read = pool.rows(counting, [], undefined);
  read.catch(() => {});
  await whileBusyUntil(() => pool.pids.some(isStopped));
  await pool.close();
  await expect(read).rejects.toThrow();
});

test('a reader is not paused while the event loop is idle', async () => {
  let pauses = 0;
  const reader = { pause: () => void pauses++, resume: () => {} };
  const pacing = new ReaderPacing();
  await sleep(100);
  pacing.add(reader);
  // On a busy machine this event loop looks busy now and then.
  for (let tries = 0; tries < 20; tries++) {
    const before = pauses;
    await sleep(100);
    if (pauses === before) return pacing.delete(reader);
  }
  expect(pauses).toBe(0);
});

test('a paused process ends when it is killed, and so does the shell that would resume it', async () => {
  const child = sleeper();
  const reader = new PausableProcess(child);
  await until(() => {
    reader.pause();
    return isStopped(child.pid);
  });
  expect(keepersOf(child.pid)).toHaveLength(1);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  await until(() => keepersOf(child.pid).length === 0);
});

test('a process that is paused while the gateway is killed goes on', async () => {
  const script = join(import.meta.dirname, '../support/pausing-process.ts');
  const gateway = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(gateway.stdout, 'data');
  const paused = Number(line);
  started.push(paused);
  expect(isStopped(paused)).toBe(true);
  gateway.kill('SIGKILL');
  await until(() => stateOf(paused)?.isStopped === false);
  await until(() => keepersOf(paused).length === 0);
});
