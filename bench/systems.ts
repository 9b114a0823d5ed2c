/** The systems that are compared, each a process over its own copy of the same data. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFolder } from '../src/common/project.js';
import type { Provider } from '../src/database/migrations/migration-history.js';
import { floorPhrases } from './phrases/floor.js';
import { gatewayPhrases } from './phrases/gateway.js';
import type { Phrases } from './phrases/phrases.js';
import { postgraphilePhrases } from './phrases/postgraphile.js';
import { stockPhrases } from './phrases/stock.js';
import { postgraphileCommand, postgraphileStatements } from './postgraphile/postgraphile.js';
import { dropTriggers, runOn } from './run-sql.js';
import type { Operation, Workload } from './workloads.js';

export interface System {
  name: SystemName;
  provider: Provider;
  phrases: Phrases;
  /** The command that starts it. @throws if it cannot be run here */
  command(): readonly string[];
  /** Settings in its environment. */
  env?: Readonly<Record<string, string>>;
  /** Removes from its database what only the gateway needs, and adds what this system needs. */
  prepare?(databaseUrl: string): Promise<void>;
}

export const systemNames = [
  'gateway-sqlite',
  'journal-sqlite',
  'floor',
  'bare-http',
  'stock',
  'gateway-postgresql',
  'journal-postgresql',
  'floor-postgresql',
  'postgraphile',
] as const;
export type SystemName = (typeof systemNames)[number];

/** The path of a built file next to this one. */
const built = (file: string) => fileURLToPath(new URL(file, import.meta.url));
/** The command behind `npm start`. */
const gatewayCommand = [process.execPath, join(projectFolder, 'dist/src/main.js')] as const;
/** The gateway built to one file per source file, so that a profile can tell them apart. */
export const gatewayApart = [process.execPath, built('../src/main.js')] as const;

/**
 * What the floor on PostgreSQL does not have: reorder and save, which PostGraphile lacks too; far pages, whose goal is
 * met by a wide margin; and updates of W7, for which it would need totals that are kept up to date.
 */
const notOnPostgresql: ReadonlySet<Operation> = new Set(['farPage', 'middlePage', 'reorder', 'save', 'update']);

/** What the bare server answers: reads of GraphQL. */
const bareReads: ReadonlySet<Operation> = new Set(['withLines', 'pageWithLines']);

const gateway = { phrases: gatewayPhrases, command: () => gatewayCommand };
/** The other systems keep no journal. Its cost is measured by the systems with `journal` in their names. */
const withoutJournal = { JOURNAL: 'false' };

const systems: Record<SystemName, Omit<System, 'name'>> = {
  'gateway-sqlite': { provider: 'sqlite', ...gateway, env: withoutJournal },
  'journal-sqlite': { provider: 'sqlite', ...gateway },
  'gateway-postgresql': { provider: 'postgresql', ...gateway, env: withoutJournal },
  'journal-postgresql': { provider: 'postgresql', ...gateway },
  floor: {
    provider: 'sqlite',
    phrases: floorPhrases,
    command: () => [process.execPath, built('floor.js')],
    prepare: dropTriggers,
  },
  'bare-http': {
    provider: 'sqlite',
    phrases: { ...gatewayPhrases, has: (operation) => bareReads.has(operation) },
    command: () => [process.execPath, built('bare-http.js')],
  },
  stock: {
    provider: 'sqlite',
    phrases: stockPhrases,
    command: () => [process.execPath, built('stock.js')],
    prepare: dropTriggers,
  },
  'floor-postgresql': {
    provider: 'postgresql',
    phrases: { ...floorPhrases, has: (operation) => !notOnPostgresql.has(operation) && floorPhrases.has(operation) },
    command: () => [process.execPath, built('floor-postgresql.js')],
    prepare: dropTriggers,
  },
  postgraphile: {
    provider: 'postgresql',
    phrases: postgraphilePhrases,
    command: postgraphileCommand,
    prepare: async (url) => {
      await dropTriggers(url);
      await runOn(url, postgraphileStatements);
    },
  },
};

/** Whether the system has all operations of the workload. */
export const canRun = ({ phrases }: Pick<System, 'phrases'>, { mix }: Pick<Workload, 'mix'>): boolean =>
  mix.every(([operation]) => phrases.has(operation));

export const systemOf = (name: SystemName): System => ({ name, ...systems[name] });
