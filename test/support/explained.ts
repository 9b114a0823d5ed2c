import { afterAll, beforeAll, expect } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { openDatabase } from '../../src/database/open-database.js';
import { type Resource, singletonId } from '../../src/model/resource.js';
import { freshDatabaseUrl } from './database.js';
import { startGateway, type TestGateway } from './gateway.js';
import { fillStatements, recordId } from './many-records.js';
import { type Plan, type Planner, plannerOf } from './query-plan.js';
import { resources } from './resources.js';

/** Enough that PostgreSQL prefers an index to reading the whole table. */
const rowsPerTable = 2000;

export interface ExplainedPlan extends Plan {
  sql: string;
}

/** One type of each shape: with and without actions and lines, a line of either kind, and a singleton. */
const shapes = new Set([
  'UOMCategory',
  'JobCard',
  'AssetRepair',
  'AssetRepairConsumedItem',
  'JobCardTimeLog',
  'SalesInvoicePayment',
  'SubscriptionSettings',
]);

export const isOfTheShapes = ({ model }: Resource): boolean => shapes.has(model);

const recordTables = new Set<string>(resources.map(({ model }) => model));

/** All rows of these tables belong to one parent, or there is only one row: reading the whole table is right here. */
const singles = new Set<Resource>(
  resources.flatMap((one) => (one.kind === 'singleton' ? [one, ...one.lines.map(({ resource }) => resource)] : [])),
);

const filled = new Map<Provider, Promise<string>>();

/** The URL of a database with many records of each type. Suites of one process share it, and hardly change it. */
function filledDatabaseUrl(provider: Provider): Promise<string> {
  const url = filled.get(provider) ?? fillDatabase(provider);
  filled.set(provider, url);
  return url;
}

async function fillDatabase(provider: Provider): Promise<string> {
  const url = await freshDatabaseUrl(provider);
  const { client, close } = await openDatabase({ url, migrate: true });
  for (const sql of fillStatements(provider, rowsPerTable)) await client.$executeRawUnsafe(sql);
  if (provider === 'postgresql') await client.$executeRawUnsafe('VACUUM ANALYZE');
  await close();
  return url;
}

/** A gateway with many records of each type for a suite, and the plans of its statements. */
export function explained(options: { provider: Provider; compiled?: boolean }) {
  let gateway: TestGateway;
  let planner: Planner;
  let indexed: Planner;
  let statements: { sql: string; values: readonly unknown[] }[] = [];

  beforeAll(async () => {
    const { provider, compiled = true } = options;
    const onStatement = (sql: string, values: readonly unknown[]) => void statements.push({ sql, values });
    const env = { DATABASE_URL: await filledDatabaseUrl(provider) };
    gateway = await startGateway({ env, compiled, onStatement });
    planner = await plannerOf(gateway.config.databaseUrl);
    indexed = await plannerOf(gateway.config.databaseUrl, { scans: false });
  });

  afterAll(async () => {
    await planner.close();
    await indexed.close();
    await gateway.close();
  });

  /** The plans of the statements that `work` runs, without those that begin, end or insert. */
  async function plansOf(work: () => Promise<unknown>, by: 'as it likes' | 'indexed' = 'as it likes') {
    statements = [];
    await work();
    const plans: ExplainedPlan[] = [];
    for (const { sql, values } of statements.filter(({ sql }) => /^\s*(SELECT|UPDATE|DELETE|WITH)/i.test(sql))) {
      plans.push({ sql, ...(await (by === 'indexed' ? indexed : planner).plan(sql, values)) });
    }
    return plans;
  }

  return {
    plansOf,
    gateway: () => gateway,
    plan: (sql: string, values: unknown[]) => planner.plan(sql, values),

    /** The plans that concern one resource. */
    plansFor: (resource: Resource, work: () => Promise<unknown>) =>
      plansOf(work, singles.has(resource) ? 'indexed' : 'as it likes'),

    async rest(method: string, path: string, body?: object, headers?: Record<string, string>) {
      const answer = await gateway.rest(method, path, body, headers);
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
      return answer.body;
    },

    async graphql(query: string) {
      const { body, text } = await gateway.graphql(query);
      expect(body.errors, `${query}: ${text}`).toBeUndefined();
      return body.data;
    },
  };
}

export type Explained = ReturnType<typeof explained>;

/** Checks that no statement reads a whole table of records, or sorts rows that an index has not selected. */
export function expectIndexes(plans: ExplainedPlan[]): void {
  for (const { accesses, sql, text } of plans) {
    for (const { how, limited } of accesses.filter(({ table }) => recordTables.has(table))) {
      expect(how === 'search' || (how === 'walk' && limited), `${sql}\n${text}`).toBe(true);
    }
  }
}

/** How the plans read one table. */
export function accessesTo(table: string, plans: readonly Plan[]) {
  return plans.flatMap(({ accesses }) => accesses).filter((access) => access.table === table);
}

/** The id of a parent that has lines of this type. */
export function parentIdOf(resource: Resource): string {
  const parent = resource.parents[0]?.resource;
  if (!parent) return 'invoice 1';
  return parent.kind === 'singleton' ? singletonId(parent) : recordId(parent, 1);
}
