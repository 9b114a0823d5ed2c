/** Opens the journal when the gateway starts, and notes from when on it is complete. */
import { type Procedure, type Rows, rows, withoutListeners } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database, OpenedDatabase } from '../../database/open-database.js';
import type { Resource } from '../../model/resource.js';
import { createJournal, type Journal } from './journal.js';
import { clock, type EntrySource, lockOut, numberEntries, rowsOf } from './journal-state.js';

/**
 * With `isKept` false the journal is turned off if no process keeps it, and begins anew when it is turned on again. If one
 * keeps it, this process writes into it too (`leaveOff`).
 */
export async function openJournal(
  database: OpenedDatabase,
  resources: readonly Resource[],
  isKept: boolean,
): Promise<Journal> {
  await raiseSequences(database);
  if (isKept) await turnOn(database);
  else await database.perform(() => end(database.provider));
  await settleJournal(database);
  return createJournal(database, resources, isKept);
}

/** For a process that keeps the journal: says so, and turns it on again if it was turned off; returns whether it was. */
export async function keepOn(database: Database): Promise<boolean> {
  const { isOn, isOld } = await keepingOf(database);
  if (!isOn) await turnOn(database);
  else if (isOld) await database.perform(() => withoutListeners(noteKept(database.provider)));
  return !isOn;
}

/** For a process that does not keep the journal: turns it off once no other one keeps it; returns whether it is still on. */
export async function leaveOff(database: Database): Promise<boolean> {
  const { isOn, isKept, isSettled } = await keepingOf(database);
  const isLeft = isOn && !isKept;
  if (isLeft) await database.perform(() => end(database.provider));
  if (isLeft || !isSettled) await settleJournal(database);
  return isOn && isKept;
}

/**
 * On PostgreSQL sets the switch by which statements that write learn that the journal is off, faster than from its row.
 * A trigger sets it when the journal is turned on. It is set to off only after the transaction that turns the journal
 * off, because the switch changes before that commits, and keeps its value if that is rolled back.
 */
async function settleJournal({ provider, perform }: Database): Promise<void> {
  if (provider === 'postgresql') await perform(() => withoutListeners(rows('SELECT gateway_settle_journal()', [])));
}

async function turnOn(database: Database): Promise<void> {
  await numberEntries(database);
  await database.perform(() => begin(database.provider));
}

/**
 * Raises the positions that SQLite gives from now on to the microseconds of the clock, or higher, so that none is given
 * twice: not even by a database that is restored from a backup, where those that were given since are forgotten.
 * PostgreSQL does the same with each numbering, because it may be restored while the gateway runs.
 */
export function* raisePositions(least = 0): Procedure<void> {
  const ours = `"name" = 'JournalEntry'`;
  yield* rows(`UPDATE sqlite_sequence SET "seq" = max("seq", ${clock.sqlite}, CAST(? AS INTEGER)) WHERE ${ours}`, [
    least,
  ]);
  yield* rows(
    `INSERT INTO sqlite_sequence ("name", "seq") SELECT 'JournalEntry', ${clock.sqlite}
     WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE ${ours})`,
    [],
  );
}

/**
 * Notes from when on the journal is complete, if it was turned off. Changes are missing between the entries before and
 * after, so one position is skipped: even a reader that has read all earlier entries is then before it, and has to
 * begin anew.
 */
function* begin(provider: Provider): Procedure<void> {
  const [now, given] =
    provider === 'sqlite'
      ? [
          `strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')`,
          `coalesce((SELECT "seq" FROM sqlite_sequence WHERE "name" = 'JournalEntry'), 0)`,
        ]
      : [`now() AT TIME ZONE 'UTC'`, `"position"`];
  const later = provider === 'sqlite' ? 'max' : 'greatest';
  const next = `CASE ${given} WHEN 0 THEN 0 ELSE ${later}(${given} + 1, ${clock[provider]}) END`;
  yield* lockOut(provider);
  const [begun] = yield* rows(
    `UPDATE "JournalState" SET "since" = ${now}, "position" = ${next}, "swept" = ${next}
     WHERE "id" = 1 AND "since" IS NULL RETURNING "swept"`,
    [],
  );
  yield* noteKept(provider);
  if (provider === 'sqlite') yield* raisePositions(Number(begun?.[0] ?? 0));
}

/**
 * Turns the journal off if no process keeps it. A journal that has no entry yet gets the position 1, so that it can
 * begin anew after that position.
 */
function* end(provider: Provider): Procedure<void> {
  const sql = `UPDATE "JournalState" SET "since" = NULL, "position" = CASE "position" WHEN 0 THEN 1 ELSE "position" END
    WHERE "id" = 1 AND "since" IS NOT NULL AND ${nobodyKeeps(provider)}`;
  yield { sql, values: [], isWhole: true };
}

// Which processes keep the journal. Each notes it in the database at regular intervals. The journal is turned off only
// when no process has noted it for a while, because every change made while it is off is missing from it.

/** Microseconds after which the note is written again, and after which the process that wrote it counts as ended. */
const notes = { again: 10_000_000, valid: 30_000_000 };

/** Whether a process has noted within so many microseconds that it keeps the journal. A clock may have been set back. */
const notedWithin = (provider: Provider, microseconds: number): string =>
  `abs(${clock[provider]} - "keptAt") < ${microseconds}`;

/** Whether no process keeps the journal any more, as a condition on the row of `JournalState`. */
const nobodyKeeps = (provider: Provider): string => `NOT (${notedWithin(provider, notes.valid)})`;

/** Notes that this process keeps the journal. */
function* noteKept(provider: Provider): Procedure<void> {
  yield* rows(`UPDATE "JournalState" SET "keptAt" = ${clock[provider]} WHERE "id" = 1`, []);
}

const settled: Record<Provider, string> = { sqlite: 'true', postgresql: 'gateway_journal_is_settled()' };

/**
 * Whether changes are written into the journal; whether a process keeps it, according to the notes, and the note is so old that it has
 * to be written again; and whether the switch is set that `settleJournal` sets.
 */
export async function keepingOf(database: EntrySource) {
  const { provider } = database;
  const flag = (condition: string) => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
  const sql = `SELECT ${flag('"since" IS NOT NULL')}, ${flag(nobodyKeeps(provider))},
    ${flag(notedWithin(provider, notes.again))}, ${flag(settled[provider])} FROM "JournalState" WHERE "id" = 1`;
  const [row] = await rowsOf(database, sql, [], 'bounded');
  const flags = (row ?? []).map((value) => Number(value) === 1);
  const [isOn = false, isLeft = true, isRecent = false, isSettled = false] = flags;
  return { isOn, isKept: !isLeft, isOld: !isRecent, isSettled };
}

/**
 * Raises the sequences of PostgreSQL that are behind the rows of their tables, as after a logical replication, which copies rows
 * but not sequences: until they have caught up, each write would get a number that is taken.
 */
const sequences = [
  { table: 'JournalEntry', column: 'entry' },
  { table: 'SearchText', column: 'id' },
].map((numbered) => ({ ...numbered, sequence: `${numbered.table}_${numbered.column}_seq` }));

/** A sequence that will give a number that is taken. */
interface Behind {
  sequence: string;
  table: string;
  /** The highest number of a row. */
  last: string;
}

/** None where the role may not see a sequence, or the engine has none. */
export async function sequencesBehind(ask: (sql: string) => Promise<Rows>): Promise<Behind[]> {
  const found: Behind[] = [];
  for (const { table, column, sequence } of sequences) {
    const [given] =
      await ask(`SELECT coalesce("last_value", 0)::text FROM pg_sequences WHERE "schemaname" = current_schema()
      AND "sequencename" = '${sequence}' AND has_sequence_privilege(format('%I.%I', "schemaname", "sequencename"), 'SELECT')`);
    if (!given) continue;
    const [row] = await ask(`SELECT max("${column}")::text FROM "${table}" HAVING max("${column}") > ${given[0]}`);
    if (row) found.push({ sequence, table, last: String(row[0]) });
  }
  return found;
}

export async function raiseSequences({ provider, read, perform }: EntrySource) {
  if (provider === 'sqlite' || !read) return;
  for (const behind of await sequencesBehind(async (sql) => read(sql, [], 'bounded'))) {
    await perform(() => withoutListeners(raiseOne(behind)));
  }
}

/**
 * Other processes may have raised it meanwhile, and have got further numbers. Each number is given to an insert, which waits for
 * the lock, so that none is given between the look at the last one and the raise.
 */
function* raiseOne({ sequence, table, last }: Behind): Procedure<void> {
  yield* rows(`LOCK TABLE "${table}" IN SHARE ROW EXCLUSIVE MODE`, []);
  yield* rows(`SELECT setval('"${sequence}"', greatest($1::bigint, "last_value")) FROM "${sequence}"`, [last]);
}
