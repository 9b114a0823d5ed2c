/** What the database engine itself can check. */
import { sequencesBehind } from '../../change/journal/open-journal.js';
import type { Rows } from '../../common/work.js';
import { databaseProblem } from '../../database/database-problem.js';
import { type Inspection, mostPlaces } from '../../database/inspection.js';
import type { Check } from '../../gateway/feature.js';

/** The schema of the gateway: others belong to other programs. */
const ours = '(SELECT oid FROM pg_namespace WHERE nspname = current_schema())';

export const integrity: Check = {
  holds: 'the database is intact',
  problems: async ({ provider, rows }) => {
    if (provider === 'sqlite') {
      const damage = await sqliteDamage(rows);
      const broken = ((await unlessDamaged(() => rows('PRAGMA foreign_key_check'))) ?? []).slice(0, mostPlaces);
      const orphans: string[] = [];
      for (const [table, row, parent] of broken) {
        const [found] = await rows(`SELECT "id" FROM "${table}" WHERE rowid = ${Number(row)}`);
        orphans.push(`The row ${found?.[0]} of ${table} refers to a row of ${parent} that is missing`);
      }
      return [...damage, ...orphans];
    }
    const indexes = await rows(
      `SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
       WHERE NOT (indisvalid AND indisready) AND relnamespace = ${ours} LIMIT ${mostPlaces}`,
    );
    const constraints = await rows(
      `SELECT conname, conrelid::regclass::text FROM pg_constraint
       WHERE NOT convalidated AND connamespace = ${ours} LIMIT ${mostPlaces}`,
    );
    const behind = await sequencesBehind(rows);
    return [
      ...indexes.map(([name]) => `The index ${name} is not valid; run REINDEX INDEX ${name}`),
      ...constraints.map(
        ([name, table]) =>
          `The constraint ${name} of ${table} is not validated; run ALTER TABLE ${table} VALIDATE CONSTRAINT "${name}"`,
      ),
      ...behind.map(
        ({ sequence, table, last }) =>
          `The sequence ${sequence} is behind the rows of ${table}; start a gateway, which raises it to ${last} at least`,
      ),
    ];
  },
};

// Where an SQLite file is damaged, by the names of its tables and indexes.

/** The result of `read`; undefined if it met a damaged page. */
export async function unlessDamaged<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (databaseProblem(error) === 'damaged') return undefined;
    throw error;
  }
}

/**
 * The problems that SQLite finds. Its check of the whole file can end at the first damaged page, or say no more than how many
 * pages a lost tree had, so that one of each table follows where it finds any.
 */
async function sqliteDamage(rows: Inspection['rows']): Promise<string[]> {
  const whole = await unlessDamaged(() => rows(`PRAGMA integrity_check(${mostPlaces})`));
  if (whole?.length === 1 && whole[0]?.[0] === 'ok') return [];
  const trees = new Map([['1', 'The table sqlite_schema']]);
  const tables = ['sqlite_schema'];
  for (const [root, type, name, table] of await rows('SELECT rootpage, type, name, tbl_name FROM sqlite_schema')) {
    if (type === 'table') tables.push(String(name));
    trees.set(String(root), type === 'index' ? `The index ${name} of ${table}` : `The table ${name}`);
  }
  const named = (found: Rows): string[] => {
    const lines = found.flatMap(([text]) => String(text).split('\n')).filter((line) => !/^(ok$|\*\*\*)/.test(line));
    return lines
      .slice(0, mostPlaces)
      .map((line) => line.replace(/^Tree (\d+)/, (all, root) => `${trees.get(root) ?? all},`));
  };
  const found: string[] = [];
  for (const table of tables) {
    const check = 'SELECT * FROM pragma_integrity_check(?)';
    // The first row says what is wrong with the trees of the table and its indexes. Only then are its rows read.
    const problems =
      (await unlessDamaged(() => rows(check, [table]))) ??
      (await unlessDamaged(() => rows(`${check} LIMIT 1`, [table])));
    found.push(...(problems ? named(problems) : [`The table ${table} cannot be read`]));
  }
  // Such as the list of free pages, which belongs to no table.
  return found.length > 0 ? found : named(whole ?? [['The file is damaged where it belongs to no table']]);
}
