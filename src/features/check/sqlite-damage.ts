/** Where an SQLite file is damaged, by the names of its tables and indexes. */

import type { Rows } from '../../common/work.js';
import { databaseProblem } from '../../database/database-problem.js';
import type { Inspection } from '../../database/inspection.js';
import { mostPlaces } from './check.js';

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
export async function sqliteDamage(rows: Inspection['rows']): Promise<string[]> {
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
