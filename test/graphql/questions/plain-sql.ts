/**
 * Conditions and orders in plain SQL, written in another way than in the gateway: COALESCE makes every comparison
 * two-valued, so that NOT can be used, while the gateway moves negations inwards.
 */
import type { Provider } from '../../../src/database/migrations/migration-history.js';
import type { Link, Resource } from '../../../src/model/resource.js';
import { type Column, type ColumnType, columnNamed, columnsOf } from './columns.js';
import { patternOfCases } from './pattern-of-cases.js';
import type { Filter, Order } from './question.js';

/** A statement in progress: its values, and the different names of the two databases. */
export class PlainSql {
  readonly values: unknown[] = [];
  #aliases = 0;

  constructor(readonly provider: Provider) {}

  alias = (): string => `r${++this.#aliases}`;

  value(type: ColumnType, value: unknown): string {
    const isSqlite = this.provider === 'sqlite';
    this.values.push(isSqlite && typeof value === 'boolean' ? Number(value) : value);
    return isSqlite ? '?' : `$${this.values.length}::${postgresqlTypes[type]}`;
  }

  /** A column: texts by their bytes, instants in the form of the API. */
  column(alias: string, { name, type }: Column): string {
    const column = `${alias}."${name}"`;
    if (type === 'DateTime')
      return this.provider === 'sqlite'
        ? `strftime(${iso.sqlite}, ${column})`
        : `to_char(${column}, ${iso.postgresql}) COLLATE "C"`;
    if (type !== 'String' && type !== 'ID') return column;
    return `${column} COLLATE ${this.provider === 'sqlite' ? 'BINARY' : '"C"'}`;
  }

  condition(resource: Resource, alias: string, filter: Filter): string {
    return both(
      'AND',
      Object.entries(filter).map(([name, value]) => this.#part(resource, alias, name, value)),
    );
  }

  order(resource: Resource, alias: string, orderBy: readonly Order[]): string[] {
    return orderBy.map(({ field, direction, nulls }) => {
      return `${this.column(alias, columnNamed(resource, field))} ${direction} NULLS ${nulls}`;
    });
  }

  #part(resource: Resource, alias: string, name: string, value: unknown): string {
    if (name === 'not') return `NOT ${this.condition(resource, alias, asFilter(value))}`;
    if (name === 'and' || name === 'or') {
      return both(
        name === 'and' ? 'AND' : 'OR',
        asList(value).map((each) => this.condition(resource, alias, asFilter(each))),
      );
    }
    const lines = resource.lines.find(({ field }) => field === name);
    if (lines) return this.#lines(lines.resource, lines.reference, alias, asFilter(value));
    const parent = resource.parents.find(({ field }) => field === name);
    if (parent) {
      const there = this.alias();
      const condition = this.condition(parent.resource, there, asFilter(value));
      return `EXISTS (SELECT 1 FROM "${parent.resource.model}" ${there} WHERE ${there}."id" = ${alias}."${parent.reference}" AND ${condition})`;
    }
    const link = resource.links.find(({ field }) => field === name);
    if (link) {
      const there = this.alias();
      const condition = this.condition(link.resource, there, asFilter(value));
      return `EXISTS (SELECT 1 FROM "${link.resource.model}" ${there} WHERE ${this.names(link, alias, there)} AND ${condition})`;
    }
    const column = columnsOf(resource).find((candidate) => candidate.name === name);
    if (!column) throw new Error(`${resource.model} has no ${name}`);
    return this.comparisons(this.column(alias, column), column.type, asFilter(value));
  }

  /** Whether the text of the row `alias` names the row `there`: no newer record is named alike. */
  names({ text, resource, by }: Link, alias: string, there: string): string {
    const newer = this.alias();
    return `(${alias}."${text}" = ${there}."${by}" AND length(${alias}."${text}") <= 255 AND NOT EXISTS (
      SELECT 1 FROM "${resource.model}" ${newer} WHERE ${newer}."${by}" = ${there}."${by}" AND ${newer}."id" > ${there}."id"))`;
  }

  #lines(child: Resource, reference: string, alias: string, quantified: Filter): string {
    const quantifiers = Object.entries(quantified).map(([quantifier, filter]) => {
      const line = this.alias();
      const condition = this.condition(child, line, asFilter(filter));
      const rows = (wanted: string) =>
        `(SELECT 1 FROM "${child.model}" ${line} WHERE ${line}."${reference}" = ${alias}."id" AND ${wanted})`;
      if (quantifier === 'some') return `EXISTS ${rows(condition)}`;
      return `NOT EXISTS ${rows(quantifier === 'every' ? `NOT ${condition}` : condition)}`;
    });
    return both('AND', quantifiers);
  }

  /** All comparisons with an expression. */
  comparisons(expression: string, type: ColumnType, { ignoreCase, ...operators }: Filter): string {
    return both(
      'AND',
      Object.entries(operators).map(([operator, operand]) =>
        ignoreCase === true && partOperators.includes(operator)
          ? this.#inAnyCase(expression, operator, String(operand))
          : this.#comparison(expression, type, operator, operand),
      ),
    );
  }

  #inAnyCase(expression: string, operator: string, text: string): string {
    const sign = this.provider === 'sqlite' ? 'GLOB' : '~';
    return `COALESCE(${expression} ${sign} ${this.value('String', patternOfCases(this.provider, operator, text))}, FALSE)`;
  }

  #comparison(expression: string, type: ColumnType, operator: string, operand: unknown): string {
    const holds = (sign: string, value: unknown) => `COALESCE(${expression} ${sign} ${this.value(type, value)}, FALSE)`;
    switch (operator) {
      case 'eq':
        return holds('=', operand);
      case 'ne':
        return `NOT ${holds('=', operand)}`;
      case 'in':
        return both(
          'OR',
          asList(operand).map((value) => holds('=', value)),
        );
      case 'notIn':
        return `NOT ${both(
          'OR',
          asList(operand).map((value) => holds('=', value)),
        )}`;
      case 'contains': {
        const find = this.provider === 'sqlite' ? 'instr' : 'strpos';
        return `COALESCE(${find}(${expression}, ${this.value(type, operand)}) > 0, FALSE)`;
      }
      case 'startsWith': {
        const [needle, length] = [this.value(type, operand), this.value(type, operand)];
        return `COALESCE(substr(${expression}, 1, length(${length})) = ${needle}, FALSE)`;
      }
      case 'endsWith': {
        const [needle, one, other] = [operand, operand, operand].map((each) => this.value(type, each));
        const end = `substr(${expression}, length(${expression}) - length(${other}) + 1)`;
        return `COALESCE(length(${expression}) >= length(${one}) AND ${end} = ${needle}, FALSE)`;
      }
      case 'isNull':
        return `(${expression} IS ${operand === true ? '' : 'NOT '}NULL)`;
      default:
        return holds(signs[operator] ?? 'unknown operator', operand);
    }
  }
}

/** What `ignoreCase` beside them is about. */
export const partOperators: readonly string[] = ['contains', 'startsWith', 'endsWith'];

const signs: Record<string, string> = { lt: '<', lte: '<=', gt: '>', gte: '>=' };

const postgresqlTypes: Record<ColumnType, string> = {
  String: 'text',
  ID: 'text',
  DateTime: 'text',
  Float: 'float8',
  Int: 'float8',
  Boolean: 'boolean',
};

const iso = { sqlite: "'%Y-%m-%dT%H:%M:%fZ'", postgresql: `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'` };

function both(word: 'AND' | 'OR', parts: string[]): string {
  return parts.length > 0 ? `(${parts.join(` ${word} `)})` : word === 'AND' ? 'TRUE' : 'FALSE';
}

const asFilter = (value: unknown): Filter => (typeof value === 'object' && value !== null ? { ...value } : {});
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
