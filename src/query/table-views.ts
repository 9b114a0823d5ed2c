/**
 * The tables as a caller with roles sees them. A statement that reads records gets a head of common table expressions that
 * bear the names of its tables: `WITH "AssetRepair" AS (SELECT … WHERE "company" = ?) SELECT …`. So whatever it reads, in
 * whatever way, it reads only rows that the rules show, and NULL in place of hidden fields: lists, counts, cursors, links,
 * filters through relations. Both databases take such a view apart and plan the statement as if the rule stood in it.
 */
import { oncePer, WeighedCache } from '../common/kept.js';
import type { LimitStatement } from '../database/direct-access.js';
import type { Provider } from '../database/migrations/migration-history.js';
import { fieldTypes, placeholders } from '../database/statement-builder.js';
import { datamodel } from '../generated/datamodel.js';
import { Prisma } from '../generated/sqlite/client.js';
import { catalogue } from '../model/catalogue.js';
import { createResources } from '../model/create-resources.js';
import type { Resource } from '../model/resource.js';
import { conditionSql, groundOf, isEverything } from './condition.js';
import type { Rights } from './rights.js';
import { dialects } from './sql/dialect.js';

/** Limits statements to what the rights show. */
export const limitOf: (rights: Rights, provider: Provider) => LimitStatement = oncePer(
  (rights, provider: Provider) => new TableViews(rights, provider).limit,
);

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

/** A statement with its head, the same for all callers whose rules differ in values only. */
interface Headed {
  sql: string;
  /** The models whose views it has, in the order in which their values are bound. */
  models: readonly string[];
  /** Whether its placeholders have no numbers, so that the values of the head come first. */
  areFirst: boolean;
}

class TableViews {
  readonly #views = new Map<string, View>();
  readonly #values = new Map<string, readonly (string | number)[]>();
  readonly #kept: WeighedCache<Headed>;

  constructor(
    rights: Rights,
    private readonly provider: Provider,
  ) {
    const isLine = ({ kind }: Resource) => kind === 'child';
    // Lines behind the documents that their views read.
    for (const resource of resources.toSorted((one, other) => Number(isLine(one)) - Number(isLine(other)))) {
      const view = this.#viewOf(resource, rights);
      if (!view) continue;
      this.#views.set(resource.model, view);
      this.#values.set(resource.model, view.select.values.map(dialects[provider].stored));
    }
    this.#kept = keptFor(provider, [...this.#views.values()]);
  }

  readonly limit: LimitStatement = (sql, bound) => {
    let headed = this.#kept.get(sql);
    if (!headed) {
      headed = this.#headed(sql, bound);
      this.#kept.set(sql, headed);
    }
    const { models, areFirst } = headed;
    if (models.length === 0) return undefined;
    return { sql: headed.sql, values: models.flatMap((model) => this.#values.get(model) ?? []), areFirst };
  };

  /** Undefined for a table of which the caller sees everything. */
  #viewOf(resource: Resource, rights: Rights): View | undefined {
    const { model } = resource;
    const hidden = rights.hidden(resource);
    const { where, reads = [] } =
      resource.kind === 'child' ? this.#whereOfLine(resource, rights) : whereOf(resource, rights);
    if (!where && hidden.size === 0) return undefined;
    const columns = hidden.size === 0 ? '*' : columnsOf(resource, hidden);
    const select = Prisma.raw(`SELECT ${columns} FROM ${this.#stored(model)} AS seen`);
    return {
      model,
      select: where ? Prisma.sql`${select} WHERE ${where}` : select,
      reads,
      isOfSome: where !== undefined,
    };
  }

  /** Lines follow their document. Those whose document is not held here have a rule of their own. */
  #whereOfLine(line: Resource, rights: Rights): { where?: Prisma.Sql; reads?: string[] } {
    const { parents } = line;
    const reads = parents.flatMap(({ resource: { model } }) => (this.#views.get(model)?.isOfSome ? model : []));
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

  #headed(sql: string, bound: number): Headed {
    const areFirst = this.provider === 'sqlite' && /\?(?!\d)/.test(sql);
    const counts = sql.includes('"RecordCount"') || sql.includes('"RecordBlock"');
    const counted: string[] = [];
    const needed = new Set<string>();
    for (const { model, reads, isOfSome } of this.#views.values()) {
      const isCounted = counts && isOfSome && sql.includes(`'${model}'`);
      if (isCounted) counted.push(model);
      if (!isCounted && !sql.includes(`"${model}"`) && !sql.includes(`\`${model}\``)) continue;
      for (const each of [model, ...reads]) needed.add(each);
    }
    const views = [...this.#views.values()].filter(({ model }) => needed.has(model));
    if (views.length === 0) return { sql, models: [], areFirst };
    if (/^\s*WITH RECURSIVE/.test(sql)) throw new Error('In a recursive statement a view would read itself');
    let place = bound;
    const { bound: placeholder } = placeholders[this.provider];
    const next = () => (areFirst ? '?' : placeholder(++place));
    const parts = views.map(
      ({ model, select: { strings } }) =>
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
    const rest = (columns: string, table: string) => `SELECT ${columns} FROM ${this.#stored(table)} WHERE ${others}`;
    return [
      `"RecordCount" AS (${[rest('"model", "count"', 'RecordCount'), ...counts].join(' UNION ALL ')})`,
      `"RecordBlock" AS (${[rest('"model", "first", "count", "announcedBy"', 'RecordBlock'), ...blocks].join(' UNION ALL ')})`,
      `"RecordBlockChange" AS (${rest('*', 'RecordBlockChange')})`,
    ];
  }

  /** The table itself, in the expression of its name: PostgreSQL means it by that name, for SQLite it has to be said. */
  #stored(table: string): string {
    return this.provider === 'sqlite' ? `main."${table}"` : `"${table}"`;
  }
}

const resources = createResources(datamodel, catalogue);

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

const shapes = new WeighedCache<WeighedCache<Headed>>(mostKept.shapes, () => 1);

/** The statements of all callers whose views have the same texts. */
function keptFor(provider: Provider, views: readonly View[]): WeighedCache<Headed> {
  const shape = JSON.stringify([provider, ...views.map(({ model, select: { strings } }) => [model, ...strings])]);
  const kept =
    shapes.get(shape) ?? new WeighedCache<Headed>(mostKept.characters, (key, { sql }) => key.length + sql.length);
  shapes.set(shape, kept);
  return kept;
}
