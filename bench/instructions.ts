/**
 * Instructions a request takes in the gateway's process, counted by valgrind, which counts the same on every machine
 * and needs no counters of the processor. Some fifty times slower than life.
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

/** Until then V8 still compiles, and what it compiles is counted as the request's. */
const WARM_UPS = 5;
const WARM_UP = 900;
const COUNTED = 100;

/** Whether valgrind is here. */
export const canCountInstructions = spawnSync('valgrind', ['--version']).status === 0;

/** Instructions per request of each workload, one request after the other; `main` is the gateway's built main file. */
export async function instructionsOf(
  main: string,
  names: readonly WorkloadName[],
  databaseUrl: string,
  facts: Facts,
): Promise<Partial<Record<WorkloadName, number>>> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-callgrind-'));
  // Where the two meet. Its name holds USER and HOST too, so both are given those of the servers.
  const meeting = `--vgdb-prefix=${join(folder, 'vgdb')}`;
  const valgrind = ['valgrind', '--tool=callgrind', '--instr-atstart=no', '--smc-check=all-non-file', meeting];
  // Whatever Node does beside the requests, compiling among them, is to happen in between and not at chance.
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
    // All of them first: what they have in common is compiled for all of them.
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
