/**
 * `npx tsx test/faults/transfer-at-size.ts 200000`, by hand after `npm run build`: seeds so many documents into SQLite, exports
 * them, imports them into an empty PostgreSQL while the import is killed ten times by `kill -9`, exports them again, and
 * compares. Prints documents or lines per second of time and of processor time, and the most memory of each process.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from '../../src/database/migrations/migration-history.js';
import { startPostgresql } from '../support/postgresql.js';

const documents = Number(process.argv[2] ?? 200_000);
const program = join(projectFolder, 'dist/src/main.js');
const folder = mkdtempSync(join(tmpdir(), 'gateway-transfer-'));
const server = await startPostgresql({ durable: true });
try {
  await measure();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function measure(): Promise<void> {
  const sqlite = `file:${join(folder, 'first.db')}`;
  const copy = `file:${join(folder, 'copy.db')}`;
  for (const url of [sqlite, copy, server.url]) await records(url, ['migrate', 'apply']);
  const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, `${name}.jsonl`));
  tell(
    'seed into SQLite',
    documents,
    await records(sqlite, ['seed', '--records', String(documents), '--seed', '7', '-q']),
  );
  const out = await records(sqlite, ['export', String(first), '-q']);
  const { lines, digest } = await read(String(first));
  tell('export from SQLite', lines, out);
  tell('import into SQLite', lines, await records(copy, ['import', String(first), '-q']));
  let kills = 0;
  for (; kills < 10; kills++) {
    // Each is killed a little later than the one before.
    const { code } = await records(server.url, ['import', String(first), '-q'], 2_000 + 300 * kills);
    if (code === 0) break;
  }
  tell(
    `import into PostgreSQL after ${kills} kills, the rest`,
    lines,
    await records(server.url, ['import', String(first), '-q']),
  );
  for (const [url, file] of [
    [copy, second],
    [server.url, third],
  ]) {
    tell(`export from ${url?.slice(0, 4)}`, lines, await records(String(url), ['export', String(file), '-q']));
    const found = await read(String(file));
    console.log(found.digest === digest ? `identical: ${found.lines} lines` : '✗ not identical');
    if (found.digest !== digest) process.exitCode = 1;
  }
  const { code } = await records(server.url, ['check']);
  console.log(`check on PostgreSQL ends with ${code}`);
}

interface Run {
  code: number | null;
  seconds: number;
  processor: number;
  megabytes: number;
}

async function records(url: string, words: string[], killedAfter = Number.POSITIVE_INFINITY): Promise<Run> {
  const began = performance.now();
  const child = spawn(process.execPath, [program, ...words], {
    env: { DATABASE_URL: url, PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  let [processor, megabytes] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    if (performance.now() - began > killedAfter) child.kill('SIGKILL');
    const facts = factsOf(child.pid ?? 0);
    if (facts) [processor, megabytes] = [facts.processor, Math.max(megabytes, facts.megabytes)];
    await Promise.race([ended, sleep(100)]);
  }
  return { code: child.exitCode, seconds: (performance.now() - began) / 1000, processor, megabytes };
}

/** Seconds of processor time so far, and the most memory so far, of a process that runs. */
function factsOf(pid: number): { processor: number; megabytes: number } | undefined {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .slice(11);
    const most = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return most === undefined
      ? undefined
      : { processor: (Number(user) + Number(system)) / 100, megabytes: Number(most) / 1024 };
  } catch {
    return undefined;
  }
}

function tell(what: string, count: number, { code, seconds, processor, megabytes }: Run): void {
  if (code !== 0) process.exitCode = 1;
  const rate = (time: number) => Math.round(count / time);
  console.log(
    `${what}: ${count} in ${seconds.toFixed(1)} s (${rate(seconds)}/s), ${processor.toFixed(1)} s of processor time (${rate(processor)}/s), ${Math.round(megabytes)} MB, ended with ${code}`,
  );
}

async function read(file: string): Promise<{ lines: number; digest: string }> {
  const hash = createHash('sha256');
  let lines = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
    for (const byte of chunk) if (byte === 10) lines++;
  }
  return { lines, digest: hash.digest('hex') };
}
