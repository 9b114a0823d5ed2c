/** Random conditions and orders of a record type, as values that can be variables or literals. */

import { columnsOf } from '../../src/graphql/types/columns.js';
import { snakeOf } from '../../src/model/names.js';
import type { Resource } from '../../src/model/resource.js';
import { oddNumbers, oddTexts } from './odd-values.js';
import type { Chance } from './random.js';
import type { KnownIds } from './random-operation.js';

/** A value of an enum, which has no quotes in an operation. */
export class Word {
  constructor(readonly name: string) {}
  toJSON(): string {
    return this.name;
  }
}

/** A value inside a literal that may be sent as a variable of this type. */
export class Operand {
  constructor(
    readonly type: string,
    readonly value: unknown,
  ) {}
  toJSON(): unknown {
    return this.value;
  }
}

/** `links` says whether it may follow links, which filters of the past may not. */
export function randomFilter(
  chance: Chance,
  resource: Resource,
  ids: KnownIds,
  depth = 3,
  links = true,
): Record<string, unknown> {
  const filter: Record<string, unknown> = {};
  const again = (of = resource) => randomFilter(chance, of, ids, depth - 1, links);
  const columns = columnsOf(resource);
  // Few, so that some records are found.
  for (let count = chance.pick([0, 1, 1, 1, 1, 1, 2]); count > 0; count--) {
    const column = chance.pick(columns);
    filter[column.name] = comparisonOf(
      chance,
      column,
      ids.get(column.type === 'DateTime' ? 'DateTime' : resource.model) ?? ['none'],
    );
  }
  if (depth === 0) return filter;
  if (chance.chance(0.1)) filter.and = Array.from({ length: chance.upTo(3) }, () => again());
  if (chance.chance(0.15)) filter.or = Array.from({ length: chance.upTo(3) }, () => again());
  if (chance.chance(0.2)) filter.not = again();
  for (const { field, resource: lines } of resource.lines) {
    if (chance.chance(0.2)) filter[field] = { [chance.pick(['some', 'every', 'none'])]: again(lines) };
  }
  for (const { field, resource: one } of [...resource.parents, ...(links ? resource.links : [])]) {
    if (chance.chance(0.15)) filter[field] = again(one);
  }
  return filter;
}

function comparisonOf(chance: Chance, { type }: { type: string }, known: readonly string[]): Record<string, unknown> {
  const value = (): unknown => {
    if (type === 'Boolean') return chance.chance(0.5);
    if (type === 'Int') return chance.upTo(100);
    if (type === 'Float') return chance.pick(oddNumbers);
    if (type === 'DocumentStatus') return new Word(chance.pick(['DRAFT', 'SUBMITTED', 'CANCELLED']));
    if (type === 'DateTime')
      return chance.pick(['2020-01-01', '2999-06-01T00:00:00+02:00', ...known.filter((text) => /^\d/.test(text))]);
    return type === 'ID' && chance.chance(0.7) ? chance.pick(known) : chance.pick(oddTexts);
  };
  const operators = ['eq', 'ne', 'isNull'];
  if (type !== 'Boolean') operators.push('in', 'notIn');
  if (type !== 'Boolean' && type !== 'DocumentStatus') operators.push('lt', 'lte', 'gt', 'gte');
  if (type === 'String') operators.push('contains', 'startsWith', 'endsWith');
  const comparison: Record<string, unknown> = {};
  for (let count = chance.chance(0.1) ? 2 : 1; count > 0; count--) {
    const operator = chance.pick(operators);
    if (operator === 'isNull') comparison[operator] = chance.chance(0.5);
    else if (!operator.toLowerCase().endsWith('in')) comparison[operator] = new Operand(type, value());
    else comparison[operator] = Array.from({ length: chance.upTo(3) }, value);
  }
  const isOfPart = ['contains', 'startsWith', 'endsWith'].some((operator) => operator in comparison);
  if (isOfPart && chance.chance(0.5)) comparison.ignoreCase = chance.chance(0.8);
  return comparison;
}

export type Order = { field: Word; direction?: Word; nulls?: Word }[];

export function randomOrder(chance: Chance, resource: Resource): Order {
  return Array.from({ length: 1 + chance.upTo(2) }, () => ({
    field: new Word(snakeOf(chance.pick(columnsOf(resource)).name).toUpperCase()),
    ...(chance.chance(0.7) ? { direction: new Word(chance.pick(['ASC', 'DESC'])) } : {}),
    ...(chance.chance(0.6) ? { nulls: new Word(chance.pick(['FIRST', 'LAST'])) } : {}),
  }));
}

/** The value as a literal. */
export function literal(value: unknown, variable: (operand: Operand) => string | undefined = () => undefined): string {
  if (value instanceof Word) return value.name;
  if (value instanceof Operand) return variable(value) ?? literal(value.value);
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, variable)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${literal(field, variable)}`);
  return `{ ${fields.join(', ')} }`;
}
