/**
 * Whether a database has what its migrations make. `objects.txt` beside the migrations lists it; a test writes and compares
 * that file. What a database has besides, such as an index or a view of its operator, is left alone.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseStartError } from '../database-start-error.js';
import { type AppliedMigration, type Provider, readMigrations } from './migration-history.js';
import type { EngineAdapter } from './schema-engine.js';
import { postgresqlHarm, postgresqlObjects, sqliteObjects } from './schema-objects-sql.js';

/** A connection to a database that can be compared. */
interface Compared {
  provider: Provider;
  adapter: Pick<EngineAdapter, 'queryRaw'>;
  applied(): Promise<AppliedMigration[]>;
}

/**
 * A sentence about each object of the migrations in `folder` that the database lacks, or has otherwise. Undefined for a
 * database that later migrations than these have changed, or of an engine that describes objects in its own way.
 */
export async function schemaDifferences(connection: Compared, folder: string): Promise<string[] | undefined> {
  const wanted = listedIn(folder).map(parts);
  const there = new Map((await objectsOf(connection)).map(parts));
  // Read last: a later version may be migrating meanwhile.
  const known = new Set(readMigrations(folder).map(({ name }) => name));
  if (there.size === 0 || (await connection.applied()).some(({ name }) => !known.has(name))) return undefined;
  const gone = wanted.filter(([title]) => title.startsWith('table ') && !there.has(title));
  const ofGone = gone.map(([title]) => ofTable(title.slice('table '.length)));
  const differences = wanted.flatMap(([title, definition]) => {
    const found = there.get(title);
    if (found === definition || ofGone.some((end) => title.endsWith(end))) return [];
    if (found === undefined) return [`The ${title} is missing`];
    const values = found.startsWith(digest) ? '' : `: it is ${found || 'plain'}, not ${definition || 'plain'}`;
    return [`The ${title} is not as the migrations make it${values}`];
  });
  return [...differences, ...(await harmOf(connection, folder, ''))];
}

/** A sentence about each thing that was done to a database with which records may be lost or refused, but need not. */
export const schemaRisks = (connection: Described, folder: string): Promise<string[]> =>
  harmOf(connection, folder, 'can be sound');

/**
 * The migrations that a database has. @throws DatabaseStartError if it has none although most of its tables are those of
 * `folder`: a restore writes the rows of tables last
 */
export async function appliedOrRefuse(compared: Compared, folder: string): Promise<AppliedMigration[]> {
  const applied = await compared.applied();
  if (applied.length > 0) return applied;
  const tables = (titles: string[]) => titles.filter((title) => /^table (?!_prisma_)/.test(title));
  const wanted = new Set(tables(listedIn(folder)));
  const there = tables(await objectsOf(compared));
  if (there.filter((table) => wanted.has(table)).length * 2 <= there.length) return applied;
  // Another gateway may have migrated meanwhile. It commits tables and migrations together, so now both are there.
  const since = await compared.applied();
  if (since.length === 0) throw DatabaseStartError.halfRestored();
  return since;
}

type Described = Omit<Compared, 'applied'>;

/** The objects of a database as sorted lines; none where its engine describes them in its own way. */
export async function objectsOf(described: Described): Promise<string[]> {
  if (described.provider === 'sqlite') return lines(await ask(described, sqliteObjects));
  return (await isPostgresql(described)) ? lines(await ask(described, postgresqlObjects)) : [];
}

async function harmOf(described: Described, folder: string, soundness: '' | 'can be sound'): Promise<string[]> {
  if (described.provider === 'sqlite' || !(await isPostgresql(described))) return [];
  const titles = titlesIn(folder);
  const harm = await ask(described, postgresqlHarm);
  return harm
    .filter(([object, foreign]) => titles.has(String(object)) && !titles.has(String(foreign)))
    .filter((row) => row[3] === soundness)
    .map(([, , sentence]) => String(sentence));
}

async function isPostgresql(described: Described): Promise<boolean> {
  const [version] = await ask(described, 'SELECT version()');
  return String(version?.[0]).startsWith('PostgreSQL ');
}

const ask = async ({ adapter }: Described, sql: string) =>
  (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows;

const lines = (rows: readonly unknown[][]): string[] =>
  rows
    .map(([kind, name, table, definition]) => [`${kind} ${name}${table ? ofTable(table) : ''}`, short(definition)])
    .map((parts) => parts.filter(Boolean).join(': '))
    .sort();

function listedIn(folder: string): string[] {
  const file = join(folder, 'objects.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** The names of what the migrations make, such as `table Webhook`. */
export const titlesIn = (folder: string): ReadonlySet<string> =>
  new Set(listedIn(folder).map((line) => parts(line)[0]));

const ofTable = (table: unknown): string => ` of ${table}`;

function parts(line: string): [title: string, definition: string] {
  const [title = '', ...definition] = line.split(': ');
  return [title, definition.join(': ')];
}

const digest = 'SHA-256 ';

/** A digest in the place of a text that is too long to be read in a list. */
function short(definition: unknown): string {
  const text = String(definition).replaceAll(/\s+/g, ' ').trim();
  return text.length <= 100 ? text : `${digest}${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
