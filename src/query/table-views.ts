/**
 * The tables as a caller with roles sees them. A statement that reads records gets a head of common table expressions that
 * bear the names of its tables: `WITH "AssetRepair" AS (SELECT … WHERE "company" = ?) SELECT …`. So whatever it reads, in
 * whatever way, it reads only rows that the rules show, and NULL in place of hidden fields: lists, counts, cursors, links,
 * filters through relations. Both databases take such a view apart and plan the statement as if the rule stood in it.
 */
import { hash } from 'node:crypto';
import { oncePer, WeighedCache } from '../common/kept.js';
import type { LimitStatement } from '../database/direct-access.js';
import type { Provider } from '../database/migrations/migration-history.js';
import { fieldTypes, placeholders } from '../database/statement-builder.js';
import { datamodel } from '../generated/datamodel.js';
import { Prisma } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';
import { allResources } from '../model/resources.js';
import { conditionSql, groundOf, isEverything } from './condition.js';
import type { Rights } from './rights.js';
import { dialects } from './sql/dialect.js';

/** Limits statements to what the rights show. */
export const limitOf: (rights: Rights, provider: Provider) => LimitStatement = oncePer((rights, provider: Provider) => {
  const views = viewsOf(rights, provider);
  const texts = textsOf(provider, views);
  // Kept for each caller: nothing but its values.
  const values = new Map<string, readonly (string | number)[]>();
  for (const { model, select } of views) {
    if (select.values.length > 0) values.set(model, select.values.map(dialects[provider].stored));
  }
  return (sql, bound) => {
    const { models, areFirst, ...headed } = texts.headed(sql, bound);
    if (models.length === 0) return undefined;
    return { sql: headed.sql, values: models.flatMap((model) => values.get(model) ?? []), areFirst };
  };
});

/** One table in the head. */
interface View {
  model: string;
  /** Its SELECT; with placeholders between the strings. */
  select: Prisma.Sql;
  /** The tables whose views it reads, which stand before it. */
  reads: readonly string[];
  /** Whether it leaves out rows. */
  isOfSome: boolean;
}

/** The table itself, in the expression of its name: PostgreSQL means it by that name, for SQLite it has to be said. */
const stored = (provider: Provider, table: string): string =>
  provider === 'sqlite' ? `main."${table}"` : `"${table}"`;

/** Those of all tables of which the caller does not see everything; lines behind the documents that their views read. */
function viewsOf(rights: Rights, provider: Provider): View[] {
  const views = new Map<string, View>();
  const isLine = ({ kind }: Resource) => kind === 'child';
  for (const resource of allResources.toSorted((one, other) => Number(isLine(one)) - Number(isLine(other)))) {
    const { model } = resource;
    const hidden = rights.hidden(resource);
    const { where, reads = [] } = isLine(resource) ? whereOfLine(resource, rights, views) : whereOf(resource, rights);
    if (!where && hidden.size === 0) continue;
    const columns = hidden.size === 0 ? '*' : columnsOf(resource, hidden);
    const select = Prisma.raw(`SELECT ${columns} FROM ${stored(provider, model)} AS seen`);
    const isOfSome = where !== undefined;
    views.set(model, { model, select: where ? Prisma.sql`${select} WHERE ${where}` : select, reads, isOfSome });
  }
  return [...views.values()];
}

/** Lines follow their document. Those whose document is not held here have a rule of their own. */
function whereOfLine(
  line: Resource,
  rights: Rights,
  views: ReadonlyMap<string, View>,
): { where?: Prisma.Sql; reads?: string[] } {
  const { parents } = line;
  const reads = parents.flatMap(({ resource: { model } }) => (views.get(model)?.isOfSome ? model : []));
  const rule = parents.every(({ link }) => link) ? rights.rule(line, 'read') : undefined;
  if (reads.length === 0 && (!rule || isEverything(rule))) return {};
  const ways = parents.map(({ reference, resource: { model } }) => {
    const column = `seen."${reference}"`;
    return Prisma.raw(
      reads.includes(model)
        ? `EXISTS (SELECT 1 FROM "${model}" AS document WHERE document."id" = ${column})`
        : `${column} IS NOT NULL`,
    );
  });
  if (rule) {
    const isAlone = parents.map(({ reference }) => `seen."${reference}" IS NULL AND `).join('');
    ways.push(Prisma.sql`(${Prisma.raw(isAlone)}${conditionSql(rule, groundOf('seen'))})`);
  }
  return { where: Prisma.join(ways, ' OR ', '(', ')'), reads };
}

/** A statement with its head, the same for all callers whose rules differ in values only. */
interface Headed {
  sql: string;
  /** The models whose views it has, in the order in which their values are bound. */
  models: readonly string[];
  /** Whether its placeholders have no numbers, so that the values of the head come first. */
  areFirst: boolean;
}

/** The statements of all callers whose views have the same texts. */
class TextsOfViews {
  readonly #kept = new WeighedCache<Headed>(mostKept.characters, (key, { sql }) => key.length + sql.length);
  readonly #views: readonly (Omit<View, 'select'> & { strings: readonly string[] })[];

  constructor(
    private readonly provider: Provider,
    views: readonly View[],
  ) {
    this.#views = views.map(({ select: { strings }, ...view }) => ({ strings, ...view }));
  }

  headed(sql: string, bound: number): Headed {
    let headed = this.#kept.get(sql);
    if (!headed) {
      headed = this.#headed(sql, bound);
      this.#kept.set(sql, headed);
    }
    return headed;
  }

  #headed(sql: string, bound: number): Headed {
    const areFirst = this.provider === 'sqlite' && /\?(?!\d)/.test(sql);
    const counts = sql.includes('"RecordCount"') || sql.includes('"RecordBlock"');
    const counted: string[] = [];
    const needed = new Set<string>();
    for (const { model, reads, isOfSome } of this.#views) {
      const isCounted = counts && isOfSome && sql.includes(`'${model}'`);
      if (isCounted) counted.push(model);
      if (!isCounted && !sql.includes(`"${model}"`) && !sql.includes(`\`${model}\``)) continue;
      for (const each of [model, ...reads]) needed.add(each);
    }
    const views = this.#views.filter(({ model }) => needed.has(model));
    if (views.length === 0) return { sql, models: [], areFirst };
    if (/^\s*WITH RECURSIVE/.test(sql)) throw new Error('In a recursive statement a view would read itself');
    let place = bound;
    const { bound: placeholder } = placeholders[this.provider];
    const next = () => (areFirst ? '?' : placeholder(++place));
    const parts = views.map(
      ({ model, strings }) =>
        `"${model}" AS NOT MATERIALIZED (${strings.reduce((before, behind) => `${before}${next()}${behind}`)})`,
    );
    if (counted.length > 0) parts.push(...this.#countsOf(counted));
    const isBegun = /^\s*WITH\s/.test(sql);
    const head = `WITH ${parts.join(', ')}`;
    return {
      sql: isBegun ? sql.replace(/^\s*WITH\s/, () => `${head}, `) : `${head} ${sql}`,
      models: views.map(({ model }) => model),
      areFirst,
    };
  }

  /** What the database keeps count of, counted among the rows that are shown: all ids are one block. */
  #countsOf(models: readonly string[]): string[] {
    const others = `"model" NOT IN (${models.map((model) => `'${model}'`).join(', ')})`;
    const counts = models.map((model) => `SELECT '${model}' AS "model", count(*) AS "count" FROM "${model}"`);
    const blocks = models.map(
      (model) =>
        `SELECT '${model}' AS "model", '' AS "first", "count", NULL AS "announcedBy" FROM "RecordCount" WHERE "model" = '${model}'`,
    );
    const rest = (columns: string, table: string) =>
      `SELECT ${columns} FROM ${stored(this.provider, table)} WHERE ${others}`;
    return [
      `"RecordCount" AS (${[rest('"model", "count"', 'RecordCount'), ...counts].join(' UNION ALL ')})`,
      `"RecordBlock" AS (${[rest('"model", "first", "count", "announcedBy"', 'RecordBlock'), ...blocks].join(' UNION ALL ')})`,
      `"RecordBlockChange" AS (${rest('*', 'RecordBlockChange')})`,
    ];
  }
}

function whereOf(resource: Resource, rights: Rights): { where?: Prisma.Sql; reads?: string[] } {
  const rule = rights.rule(resource, 'read');
  return isEverything(rule) ? {} : { where: conditionSql(rule, groundOf('seen')) };
}

/** All columns of the table, those of hidden fields without their values. */
function columnsOf({ model, fields }: Resource, hidden: ReadonlySet<string>): string {
  const columns =
    datamodel.models.find(({ name }) => name === model)?.fields.filter(({ kind }) => kind === 'scalar') ?? [];
  const types = new Map(fields.map(({ name, type }) => [name, fieldTypes[type]]));
  return columns
    .map(({ name }) => (hidden.has(name) ? `CAST(NULL AS ${types.get(name)}) AS "${name}"` : `"${name}"`))
    .join(', ');
}

/** Sets of rules whose statements are kept, and the characters of the statements of each. */
const mostKept = { shapes: 100, characters: 2_000_000 };

const shapes = new WeighedCache<TextsOfViews>(mostKept.shapes, () => 1);

function textsOf(provider: Provider, views: readonly View[]): TextsOfViews {
  const shape = hash(
    'sha256',
    JSON.stringify([provider, ...views.map(({ model, select: { strings } }) => [model, ...strings])]),
  );
  const texts = shapes.get(shape) ?? new TextsOfViews(provider, views);
  shapes.set(shape, texts);
  return texts;
}
