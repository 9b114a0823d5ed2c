/** Foreign transactions that write an entry of the journal and stay open for seconds, while others commit. */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import pg from 'pg';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { Sqlite } from '../support/sqlite-library.js';

/** The request id of their entries. */
export const foreign = 'somebody-else';

const entry = (id: string, now: string) => `
  INSERT INTO "JournalEntry" ("at", "action", "model", "recordId", "documentModel", "documentId", "revision", "version",
    "keyId", "keyName", "requestId", "changes")
  VALUES (${now}, 'create', 'IndustryType', '${id}', 'IndustryType', '${id}', 1, 1, 'k', 'k', '${foreign}', '{}')`;

/** How many transactions were committed, and how many rolled back. */
interface Held {
  kept: number;
  undone: number;
}

/** Begins one after the other until it is stopped; every third one rolls back. `done` is the number so far. */
export function holdTransactions(databaseUrl: string): { done: Readonly<Held>; stop(): Promise<unknown> } {
  const done = { kept: 0, undone: 0 };
  let isOver = false;
  const hold = databaseUrl.startsWith('file:') ? holdSqlite : holdPostgresql;
  const work = async (worker: number) => {
    for (let round = 0; !isOver; round++) {
      const isKept = (round + worker) % 3 !== 2;
      await hold(databaseUrl, `held-${worker}-${round}`, isKept);
      done[isKept ? 'kept' : 'undone']++;
      await sleep(databaseUrl.startsWith('file:') ? 4000 : 100);
    }
  };
  // SQLite has one writer, so the holder of the lock blocks all others.
  const all = Promise.all((databaseUrl.startsWith('file:') ? [0] : [0, 1, 2]).map(work));
  return {
    done,
    stop: () => {
      isOver = true;
      return all;
    },
  };
}

async function holdSqlite(url: string, id: string, isKept: boolean): Promise<void> {
  const holder = new Sqlite(sqlitePath(url), { timeout: 0 });
  try {
    while (!begun(holder)) await sleep(2);
    holder.exec(entry(id, `strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')`));
    await sleep(500 + Math.random() * 1500);
    holder.exec(isKept ? 'COMMIT' : 'ROLLBACK');
  } finally {
    holder.close();
  }
}

function begun(holder: Database.Database): boolean {
  try {
    holder.exec('BEGIN IMMEDIATE');
    return true;
  } catch {
    return false;
  }
}

/** Locks three documents too, so that transactions of the gateways that change several stay open in the middle. */
async function holdPostgresql(url: string, id: string, isKept: boolean): Promise<void> {
  const holder = new pg.Client(url);
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(entry(id, `now() AT TIME ZONE 'UTC'`));
    await holder.query('SELECT 1 FROM "AssetRepair" ORDER BY random() LIMIT 3 FOR UPDATE SKIP LOCKED');
    await sleep(1000 + Math.random() * 4000);
    await holder.query(isKept ? 'COMMIT' : 'ROLLBACK');
  } finally {
    await holder.end();
  }
}
