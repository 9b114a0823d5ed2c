/** A server of Debian's PostgreSQL, which brings `pg_dump` and `pg_restore` of its own version; npm's brings neither. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { postgresqlPrograms } from './patroni/member.js';
import { own, startProcess } from './patroni/process.js';
import { freePort } from './postgresql.js';
import { scratchFolder } from './scratch.js';

const execute = promisify(execFile);
const patience = { timeout: 60_000, interval: 100 };

export interface DebianPostgresql {
  /** The address of one of its databases. */
  url(database: string): string;
  /** Runs one of its programs, and returns what it printed; fails if that fails. */
  run(program: string, ...words: string[]): Promise<string>;
  stop(): Promise<void>;
}

export async function startDebianPostgresql(): Promise<DebianPostgresql> {
  const programs = postgresqlPrograms();
  const folder = mkdtempSync(join(scratchFolder(), 'debian-'));
  chmodSync(join(folder, '..'), 0o755);
  own(folder);
  const data = join(folder, 'data');
  const made = await startProcess(`${programs}/initdb`, ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8']);
  await vi.waitUntil(() => !made.isRunning(), patience);
  const port = await freePort();
  const flags = ['-c', 'fsync=off', '-c', `unix_socket_directories=`, '-c', 'listen_addresses=127.0.0.1'];
  const server = await startProcess(`${programs}/postgres`, ['-D', data, '-p', String(port), ...flags]);
  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  const run = async (program: string, ...words: string[]) => (await execute(`${programs}/${program}`, words)).stdout;
  const isReady = () => run('pg_isready', '-d', url('postgres')).then(Boolean, () => false);
  try {
    await vi.waitUntil(isReady, patience);
  } catch {
    throw new Error(`PostgreSQL of Debian did not start: ${made.said()}${server.said()}`);
  }
  return { url, run, stop: server.kill };
}
