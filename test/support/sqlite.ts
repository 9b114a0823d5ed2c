import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { openSqlite } from '../../src/database/sqlite/open-sqlite.js';
import { type WriterLimits, writerLimits } from '../../src/database/sqlite/sqlite-writer.js';
import { PrismaClient } from '../../src/generated/sqlite/client.js';
import { freshDatabaseUrl } from './database.js';
import { PrismaBetterSqlite3 } from './stock-adapter.js';

// Prisma's own 2 s are too short where many transactions wait for each other on a busy machine.
const transactionOptions = { maxWait: 60_000, timeout: 60_000 };

/** A Prisma client on a new database through our adapter, with other limits than usual where a test needs them. */
export async function safeClient(limits: Partial<WriterLimits> = {}): Promise<{ client: PrismaClient; path: string }> {
  const path = (await freshDatabaseUrl('sqlite')).slice('file:'.length);
  const connect = () => openSqlite(path, {}, undefined, { ...writerLimits, ...limits });
  const adapter = { provider: 'sqlite' as const, adapterName: 'safe', connect };
  return { client: connected(new PrismaClient({ adapter, transactionOptions })), path };
}

/** A Prisma client on a new database through Prisma's own adapter, for comparison. */
export async function stockClient(): Promise<{ client: PrismaClient; path: string }> {
  const url = await freshDatabaseUrl('sqlite');
  return {
    client: connected(new PrismaClient({ adapter: new PrismaBetterSqlite3({ url }), transactionOptions })),
    path: url.slice('file:'.length),
  };
}

function connected(client: PrismaClient): PrismaClient {
  onTestFinished(() => client.$disconnect());
  return client;
}

/** The row of an API key, the smallest table. */
export function apiKey(id: string) {
  return { id, name: 'test', hash: `hash of ${id}`, createdAt: new Date('2026-01-31T09:30:00.123Z') };
}

/** A promise and the function that resolves it: the moment a test waits for. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** How many commits the write-ahead log of the file at `path` holds (https://www.sqlite.org/fileformat2.html#walformat). */
export function commitsInLog(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const frameSize = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame + frameSize <= log.length; frame += frameSize) {
    const currentSalt = log.compare(log, 16, 24, frame + 8, frame + 16) === 0;
    if (currentSalt && log.readUInt32BE(frame + 4) > 0) commits++;
  }
  return commits;
}
