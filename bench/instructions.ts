/**
 * Counts the instructions of the gateway's process per request with valgrind. The count is nearly the same on every
 * machine and needs no hardware counters. About fifty times slower than normal.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from './load/connection.js';
import { type Facts, requestsOf } from './load/requests.js';
import { startServer } from './server-process.js';
import { systemOf } from './systems.js';
import { type WorkloadName, workloadOf } from './workloads.js';

/** During these rounds V8 still compiles, which would be counted with the requests. */
const WARM_UPS = 5;
const WARM_UP = 900;
const COUNTED = 100;

/** Whether valgrind is installed. */
export const canCountInstructions = spawnSync('valgrind', ['--version']).status === 0;

/** Instructions per request of each workload, with one request at a time. `main` is the gateway's built main file. */
export async function instructionsOf(
  main: string,
  names: readonly WorkloadName[],
  databaseUrl: string,
  facts: Facts,
): Promise<Partial<Record<WorkloadName, number>>> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-callgrind-'));
  // The pipes between vgdb and valgrind. Their names contain USER and HOST, so both programs get the same values.
  const meeting = `--vgdb-prefix=${join(folder, 'vgdb')}`;
  const valgrind = ['valgrind', '--tool=callgrind', '--instr-atstart=no', '--smc-check=all-non-file', meeting];
  // Runs Node's background work, such as compilation, on the main thread, so that the counts are reproducible.
  const command = [
    ...valgrind,
    `--callgrind-out-file=${join(folder, 'counts')}`,
    process.execPath,
    '--single-threaded',
    main,
  ];
  const server = await startServer({ command, databaseUrl, env: { LOG_LEVEL: 'warn' }, patience: 300_000 });
  const tell = (...words: string[]) =>
    execFileSync('vgdb', [meeting, `--pid=${server.pid}`, ...words], {
      env: { PATH: process.env.PATH, HOST: '127.0.0.1' },
      stdio: 'pipe',
    });
  const found: Partial<Record<WorkloadName, number>> = {};
  try {
    const connection = new Connection(server.port);
    const send = async (requests: readonly Buffer[]) => {
      for (const request of requests) await connection.send(request);
    };
    const all = names.map((name) => [name, requestsOf(systemOf('gateway-sqlite'), workloadOf(name), facts)] as const);
    // Warms up all workloads before counting, because they share code.
    for (let round = 0; round < WARM_UPS; round++) {
      for (const [, requests] of all) await send(requests.slice(0, WARM_UP));
    }
    for (const [name, requests] of all) {
      tell('instrumentation', 'on');
      await send(requests.slice(WARM_UP, WARM_UP + 5));
      tell('zero');
      await send(requests.slice(WARM_UP, WARM_UP + COUNTED));
      tell('dump');
      tell('instrumentation', 'off');
      found[name] = Math.round(newestTotal(folder) / COUNTED);
    }
    connection.close();
  } finally {
    server.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

/** Callgrind numbers its dumps: counts.1, counts.2, … */
function newestTotal(folder: string): number {
  const dumps = readdirSync(folder).filter((name) => /^counts\.\d+$/.test(name));
  const newest = dumps.sort((one, other) => Number(one.split('.')[1]) - Number(other.split('.')[1])).at(-1);
  if (newest === undefined) throw new Error('Callgrind wrote no counts');
  return Number(/^totals: (\d+)/m.exec(readFileSync(join(folder, newest), 'utf8'))?.[1]);
}
