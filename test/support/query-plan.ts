import Database from 'better-sqlite3';
import pg from 'pg';
import { sqlitePath } from '../../src/database/open-sqlite.js';

/** How one statement reads one table. */
export interface Access {
  table: string;
  /** `search`: entries of an index between two bounds. `walk`: an index from one end on. `scan`: all rows. */
  how: 'search' | 'walk' | 'scan';
  /** Whether the index alone answers, without the rows. */
  indexOnly: boolean;
}

export interface Plan {
  accesses: Access[];
  /** Whether what was read is put in order afterwards. */
  sorts: boolean;
  /** Whether the statement stops after so many rows. */
  limited: boolean;
  text: string;
}

/** Asks a database how it would run a statement with these values. */
export interface Planner {
  plan(sql: string, values: readonly unknown[]): Promise<Plan>;
  close(): Promise<void>;
}

/** `scans: false` makes PostgreSQL use an index wherever one fits, also where reading a small table would cost less. */
export async function plannerOf(url: string, options: { scans: boolean } = { scans: true }): Promise<Planner> {
  return url.startsWith('file:') ? sqlitePlanner(url) : postgresqlPlanner(url, options);
}

function sqlitePlanner(url: string): Planner {
  const database = new Database(sqlitePath(url), { readonly: true });
  return {
    // SQLite plans without a look at the values; only a limit of -1 says that there is none.
    plan: async (sql, values) => {
      const rows = database
        .prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values.map(() => null));
      const details = rows.map(({ detail }) => detail);
      return {
        accesses: details.flatMap(sqliteAccess),
        sorts: details.some((detail) => detail.includes('TEMP B-TREE')),
        limited: sqliteIsLimited(sql, values),
        text: details.join('\n'),
      };
    },
    close: async () => void database.close(),
  };
}

function sqliteAccess(detail: string): Access[] {
  const [, verb, table, rest = ''] = /^(SCAN|SEARCH) (?:main\.)?(\w+)(.*)$/.exec(detail) ?? [];
  // What a subquery has read already.
  if (!verb || !table || table === 'sub' || table === 'CONSTANT') return [];
  const how = verb === 'SEARCH' ? 'search' : rest.includes('INDEX') ? 'walk' : 'scan';
  return [{ table, how, indexOnly: rest.includes('COVERING INDEX') }];
}

function sqliteIsLimited(sql: string, values: readonly unknown[]): boolean {
  const before = /^(.*)LIMIT \?/s.exec(sql)?.[1];
  return before !== undefined && Number(values[before.split('?').length - 1]) >= 0;
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
      const nodes = [...nodesOf(root)];
      return {
        accesses: nodes.flatMap(postgresqlAccess),
        sorts: nodes.some((node) => node['Node Type'].includes('Sort')),
        limited: nodes.some((node) => node['Node Type'] === 'Limit'),
        text: JSON.stringify(root, ['Node Type', 'Relation Name', 'Index Name', 'Index Cond', 'Filter', 'Plans'], 1),
      };
    },
    close: () => client.end(),
  };
}

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}

function postgresqlAccess(node: PlanNode): Access[] {
  const { 'Node Type': type, 'Relation Name': table } = node;
  if (!table || type === 'ModifyTable') return [];
  const indexOnly = type === 'Index Only Scan';
  // A bitmap is made from an index by its conditions; the rows are read in the order they lie in.
  if (type === 'Bitmap Heap Scan') return [{ table, how: 'search', indexOnly }];
  if (type !== 'Index Scan' && !indexOnly) return [{ table, how: 'scan', indexOnly }];
  return [{ table, how: node['Index Cond'] ? 'search' : 'walk', indexOnly }];
}
