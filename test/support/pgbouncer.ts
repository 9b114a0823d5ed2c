/** A real PgBouncer in transaction mode: it assigns a session of the server to a client for one transaction. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './postgresql.js';
import { requireProgram } from './require-program.js';

/** Sessions for each database: fewer than the connections of one gateway. */
const sessions = 4;

export interface Pgbouncer {
  /** The URL of the same database through it. */
  through(url: string): string;
  stop(): Promise<void>;
}

export async function startPgbouncer(serverUrl: string): Promise<Pgbouncer> {
  requireProgram('pgbouncer', 'pgbouncer');
  const { hostname, port, username, password } = new URL(serverUrl);
  const own = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-pgbouncer-'));
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 2000
server_idle_timeout = 5
server_login_retry = 1
`,
  );
  chmodSync(folder, 0o755);
  const [command = '', ...parameters] = [...asNobody(), 'pgbouncer', '--quiet', settings];
  const process = spawn(command, parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  process.stderr.on('data', (text: Buffer) => {
    said = (said + text).slice(-4_000);
  });
  const through = (url: string): string => Object.assign(new URL(url), { port: String(own) }).href;
  await answering(through(serverUrl), process, () => said);
  return {
    through,
    stop: async () => {
      const ended = once(process, 'exit');
      if (process.exitCode === null && process.kill('SIGKILL')) await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It does not run as root. */
function asNobody(): string[] {
  if (globalThis.process.getuid?.() !== 0) return [];
  const group = spawnSync('id', ['-g', 'nobody'], { encoding: 'utf8' }).stdout.trim();
  return ['setpriv', '--reuid=nobody', `--regid=${group}`, '--clear-groups'];
}

async function answering(url: string, process: ChildProcess, said: () => string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (process.exitCode !== null || tries === 99)
        throw new Error(`PgBouncer does not answer: ${said()}`, { cause: error });
      await sleep(50);
    }
  }
}
