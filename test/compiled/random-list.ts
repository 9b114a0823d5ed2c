/** Random conditions and orders of a record type, made of the schema's inputs, as values that can be variables or literals. */
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { Resource } from '../../src/model/resource.js';
import { schema } from '../support/schema.js';
import { oddNumbers, oddTexts } from './odd-values.js';
import type { Chance } from './random.js';

/** Values for arguments, some without a match: ids by model, and instants under `DateTime`. */
export type KnownIds = ReadonlyMap<string, readonly string[]>;

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

/** The input type of a name. */
function inputNamed(name: string): GraphQLInputObjectType {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`The schema has no input ${name}`);
  return type;
}

/** `links` says whether it may follow links, which filters of the past may not. */
export function randomFilter(
  chance: Chance,
  resource: Resource,
  ids: KnownIds,
  depth = 3,
  links = true,
): Record<string, unknown> {
  const fields = Object.values(inputNamed(`${resource.model}Filter`).getFields());
  const isOfColumn = (type: GraphQLInputType) => getNamedType(type).name.endsWith('Comparison');
  const filter: Record<string, unknown> = {};
  const columns = fields.filter(({ type }) => isOfColumn(type));
  // Few, so that some records are found.
  for (let count = chance.pick([0, 1, 1, 1, 1, 1, 2]); count > 0; count--) {
    const { name, type } = chance.pick(columns);
    filter[name] = randomComparison(chance, inputNamed(getNamedType(type).name), (scalar) =>
      knownValue(chance, scalar, ids.get(scalar === 'DateTime' ? scalar : resource.model)),
    );
  }
  if (depth === 0) return filter;
  const below = (type: GraphQLInputType): unknown => {
    const nullable = getNullableType(type);
    if (isListType(nullable)) return Array.from({ length: chance.upTo(3) }, () => below(nullable.ofType));
    const named = getNamedType(type);
    const { filterOf }: { filterOf?: Resource } = named.extensions;
    if (filterOf) return randomFilter(chance, filterOf, ids, depth - 1, links);
    // Of a list: `some`, `every` and so on.
    const { name, type: inner } = chance.pick(Object.values(inputNamed(named.name).getFields()));
    return { [name]: below(inner) };
  };
  for (const { name, type } of fields) {
    const isLink = resource.links.some(({ field }) => field === name);
    if (isOfColumn(type) || (isLink && !links)) continue;
    if (chance.chance(0.15)) filter[name] = below(type);
  }
  return filter;
}

function randomComparison(
  { chance, pick, upTo }: Chance,
  type: GraphQLInputObjectType,
  known: (scalar: string) => unknown,
): Record<string, unknown> {
  const operators = Object.values(type.getFields());
  const comparison: Record<string, unknown> = {};
  for (let count = chance(0.1) ? 2 : 1; count > 0; count--) {
    // It says how to compare, and needs an operator of parts of a text beside it.
    const { name, type: given } = pick(operators.filter(({ name }) => name !== 'ignoreCase'));
    const { name: scalar } = getNamedType(given);
    if (isListType(getNullableType(given))) comparison[name] = Array.from({ length: upTo(3) }, () => known(scalar));
    else comparison[name] = name === 'isNull' ? chance(0.5) : new Operand(scalar, known(scalar));
  }
  const isOfPart = ['contains', 'startsWith', 'endsWith'].some((operator) => operator in comparison);
  if (isOfPart && chance(0.5)) comparison.ignoreCase = chance(0.8);
  return comparison;
}

/** A value of a scalar or an enum; of an id mostly one that is known. */
export function knownValue({ chance, pick, upTo }: Chance, name: string, known: readonly string[] = ['none']): unknown {
  const type = schema.getType(name);
  if (isEnumType(type)) return new Word(pick(type.getValues()).name);
  switch (name) {
    case 'Boolean':
      return chance(0.5);
    case 'Int':
      return upTo(100);
    case 'Float':
      return pick(oddNumbers);
    case 'DateTime':
      return pick(['2020-01-01', '2999-06-01T00:00:00+02:00', ...known.filter((text) => /^\d/.test(text))]);
    default:
      return name === 'ID' && chance(0.7) ? pick(known) : pick(oddTexts);
  }
}

export type Order = { field: Word; direction?: Word; nulls?: Word }[];

export function randomOrder(chance: Chance, { model }: Pick<Resource, 'model'>): Order {
  const { field, ...others } = inputNamed(`${model}Sort`).getFields();
  const word = (given: typeof field) => {
    const type = given && getNamedType(given.type);
    return new Word(isEnumType(type) ? chance.pick(type.getValues()).name : 'none');
  };
  return Array.from({ length: 1 + chance.upTo(2) }, () => ({
    field: word(field),
    ...Object.fromEntries(
      Object.entries(others)
        .filter(() => chance.chance(0.65))
        .map(([name, other]) => [name, word(other)]),
    ),
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
