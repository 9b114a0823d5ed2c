import pg from 'pg';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { addFunctions } from '../../src/database/sqlite/sqlite-functions.js';
import { Sqlite } from './sqlite-library.js';

/** How one statement reads one table. */
export interface Access {
  table: string;
  /** `search`: entries of an index between two bounds. `walk`: an index from one end on. `scan`: all rows. */
  how: 'search' | 'walk' | 'scan';
  /** Whether the index alone answers, without the rows. */
  indexOnly: boolean;
  /** Whether it stops after a number of rows, in the order in which it finds them. */
  limited: boolean;
}

export interface Plan {
  accesses: Access[];
  /** The text of the database. */
  text: string;
}

/** Asks a database how it would run a statement with these values. */
export interface Planner {
  plan(sql: string, values: readonly unknown[]): Promise<Plan>;
  close(): Promise<void>;
}

/** `scans: false` makes PostgreSQL use an index wherever one fits, even if reading a small table would cost less. */
export async function plannerOf(url: string, options: { scans: boolean } = { scans: true }): Promise<Planner> {
  return url.startsWith('file:') ? sqlitePlanner(url) : postgresqlPlanner(url, options);
}

function sqlitePlanner(url: string): Planner {
  const database = new Sqlite(sqlitePath(url), { readonly: true });
  addFunctions(database);
  return {
    // SQLite plans without looking at the values; -1 stands for no limit.
    plan: async (sql, values) => {
      const statement = database.prepare<unknown[], SqliteStep>(`EXPLAIN QUERY PLAN ${sql}`);
      const nulls = values.map(() => null);
      // Numbered placeholders are names to better-sqlite3.
      const steps = /\?\d/.test(sql)
        ? statement.all(Object.fromEntries(nulls.map((none, index) => [index + 1, none])))
        : statement.all(...nulls);
      const accesses = steps.flatMap((step) => sqliteAccess(step, steps, sql, values));
      return { accesses, text: steps.map(({ detail }) => detail).join('\n') };
    },
    close: async () => void database.close(),
  };
}

interface SqliteStep {
  /** The step that this one is a part of. */
  parent: number;
  detail: string;
}

function sqliteAccess(step: SqliteStep, steps: SqliteStep[], sql: string, values: readonly unknown[]): Access[] {
  const [, verb, name = '', rest = ''] = /^(SCAN|SEARCH) (?:main\.)?(\w+)(.*)$/.exec(step.detail) ?? [];
  const table = new RegExp(`"(\\w+)" AS ${name}\\b`).exec(sql)?.[1] ?? name;
  // What a subquery has read already.
  const isRead = steps.some(({ parent, detail }) => parent === step.parent && detail === `CO-ROUTINE ${name}`);
  if (!verb || isRead || table === 'sub' || table === 'CONSTANT') return [];
  const how = verb === 'SEARCH' ? 'search' : rest.includes('INDEX') ? 'walk' : 'scan';
  const isSorted = steps.some(({ parent, detail }) => parent === step.parent && detail.startsWith('USE TEMP B-TREE'));
  const limited = !isSorted && sqliteIsLimited(sql, values);
  return [{ table, how, indexOnly: rest.includes('COVERING INDEX'), limited }];
}

function sqliteIsLimited(sql: string, values: readonly unknown[]): boolean {
  const [, before = '', number] = /^(.*?)\bLIMIT \?(\d*)/s.exec(sql) ?? [];
  const position = number ? Number(number) - 1 : before.split('?').length - 1;
  return before !== '' && Number(values[position]) >= 0;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

async function postgresqlPlanner(url: string, { scans }: { scans: boolean }): Promise<Planner> {
  const client = new pg.Client(url);
  await client.connect();
  if (!scans) await client.query('SET enable_seqscan = off');
  return {
    plan: async (sql, values) => {
      const { rows } = await client.query({ text: `EXPLAIN (FORMAT JSON) ${sql}`, values: [...values] });
      const root: PlanNode = rows[0]['QUERY PLAN'][0].Plan;
      return { accesses: [...postgresqlAccesses(root, false)], text: JSON.stringify(root, shown, 1) };
    },
    close: () => client.end(),
  };
}

const shown = ['Node Type', 'Relation Name', 'Index Name', 'Index Cond', 'Filter', 'Plans'];

/** The accesses of a node and those below it; `limited` where a limit stands above them and no sorting between. */
function* postgresqlAccesses(node: PlanNode, limited: boolean): Generator<Access> {
  const { 'Node Type': type, 'Relation Name': table } = node;
  if (table && type !== 'ModifyTable') yield { table, ...wayOf(node), limited };
  const below = type === 'Limit' || (limited && !type.includes('Sort'));
  for (const child of node.Plans ?? []) yield* postgresqlAccesses(child, below);
}

function wayOf({ 'Node Type': type, 'Index Cond': condition }: PlanNode): Pick<Access, 'how' | 'indexOnly'> {
  const indexOnly = type === 'Index Only Scan';
  // A bitmap is made from an index by its conditions; the rows are read in the order they lie in.
  if (type === 'Bitmap Heap Scan') return { how: 'search', indexOnly };
  if (type !== 'Index Scan' && !indexOnly) return { how: 'scan', indexOnly };
  return { how: condition ? 'search' : 'walk', indexOnly };
}
