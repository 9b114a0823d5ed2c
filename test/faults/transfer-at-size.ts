/**
 * `npx tsx test/faults/transfer-at-size.ts 200000`, by hand after `npm run build`: seeds so many documents into SQLite, exports
 * them, imports them into an empty PostgreSQL while the import is killed ten times by `kill -9`, exports them again, and
 * compares. `--copy` also imports them into an empty SQLite. Prints documents, rows of CSV and records with their lines per
 * second of time and of processor time, and the most memory of each process.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { projectFolder } from '../../src/common/project.js';
import { startPostgresql } from '../support/postgresql.js';

const documents = Number(process.argv[2] ?? 200_000);
const copies = process.argv.includes('--copy');
const kills = 10;
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
  const first = join(folder, 'first.jsonl');
  tell('seed into SQLite', { documents }, await records(sqlite, ['seed', '--records', String(documents), '-q']));
  const out = await records(sqlite, ['export', first, '-q']);
  const { digest, ...counts } = await read(first);
  tell('export from SQLite', counts, out);
  const tables = join(folder, 'tables');
  const csv = await records(sqlite, ['export', tables, '--format', 'csv', '-q']);
  let rows = 0;
  for (const name of readdirSync(tables)) rows += (await read(join(tables, name))).documents - 1;
  tell('export from SQLite as CSV', { documents: counts.documents, rows }, csv);
  rmSync(tables, { recursive: true });
  for (let kill = 1; kill <= kills; kill++) {
    const enough = Math.floor((kill * counts.documents) / (kills + 1));
    const { code, seconds } = await records(server.url, ['import', first, '-q'], enough);
    console.log(
      `killed after ${seconds.toFixed(1)} s, with ${await importedInto(server.url)} documents there: ${code}`,
    );
  }
  const rest = counts.documents - (await importedInto(server.url));
  tell('import into PostgreSQL, the rest', { documents: rest }, await records(server.url, ['import', first, '-q']));
  await compare(server.url, join(folder, 'third.jsonl'), digest);
  console.log(`check on PostgreSQL ends with ${(await records(server.url, ['check'])).code}`);
  if (!copies) return;
  tell('import into SQLite', counts, await records(copy, ['import', first, '-q']));
  await compare(copy, join(folder, 'second.jsonl'), digest);
}

/** Exports from `url`, and compares what comes with the digest of the first export. */
async function compare(url: string, file: string, digest: string): Promise<void> {
  const run = await records(url, ['export', file, '-q']);
  const found = await read(file);
  tell(`export from ${url.slice(0, 4)}`, { documents: found.documents, records: found.records }, run);
  console.log(found.digest === digest ? `identical: ${digest}` : '✗ not identical');
  if (found.digest !== digest) process.exitCode = 1;
}

/** How many documents the import has committed so far. */
async function importedInto(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query({ text: 'SELECT max("lines") FROM "ImportProgress"', rowMode: 'array' });
    return Number(rows[0]?.[0] ?? 0);
  } finally {
    await client.end();
  }
}

interface Run {
  code: number | null;
  seconds: number;
  processor: number;
  megabytes: number;
}

/** Runs a command; an import is killed once it has committed more than `enough` documents. */
async function records(url: string, words: string[], enough?: number): Promise<Run> {
  const began = performance.now();
  const child = spawn(process.execPath, [program, ...words], {
    env: { DATABASE_URL: url, PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  let [processor, megabytes] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    if (enough !== undefined && (await importedInto(url)) > enough) child.kill('SIGKILL');
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

function tell(what: string, counts: Record<string, number>, { code, seconds, processor, megabytes }: Run): void {
  if (code !== 0) process.exitCode = 1;
  const rates = Object.entries(counts).map(
    ([name, count]) =>
      `${count} ${name}: ${Math.round(count / seconds)}/s, by processor time ${Math.round(count / processor)}/s`,
  );
  const used = `${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor time, ${Math.round(megabytes)} MB`;
  console.log(`${what}: ${used}, ended with ${code}\n  ${rates.join('\n  ')}`);
}

/** The lines of a file, and of a file of JSON the records with their lines, which all have a version. */
async function read(file: string): Promise<{ documents: number; records: number; digest: string }> {
  const hash = createHash('sha256');
  let [documents, records] = [0, 0];
  const input = createReadStream(file);
  input.on('data', (chunk) => hash.update(chunk));
  for await (const line of createInterface({ input })) {
    documents++;
    records += line.split('"version":').length - 1;
  }
  return { documents, records, digest: hash.digest('hex') };
}
