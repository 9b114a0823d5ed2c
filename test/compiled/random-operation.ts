/**
 * Random operations, made of the schema: of every field that SQL answers, with every argument it takes. They are valid except
 * for an argument out of range now and then. What is added to the schema is asked for without a word here.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql';
import { leavesToResolver, sqlAnswerOf } from '../../src/graphql/answered-by-sql.js';
import type { Resource } from '../../src/model/resource.js';
import { resources } from '../support/resources.js';
import { schema } from '../support/schema.js';
import type { Chance } from './random.js';
import { type KnownIds, knownValue, literal, type Order, randomFilter, randomOrder } from './random-list.js';

/** An order of a list, and cursors from it. */
export interface KnownOrder {
  order: Order;
  cursors: readonly string[];
}

export interface Known {
  ids: KnownIds;
  orders: ReadonlyMap<string, readonly KnownOrder[]>;
}

export interface RandomOperation {
  query: string;
  variables: Record<string, unknown>;
  /** The arguments and the kinds of fields that it has, to see how much is compiled. */
  used: ReadonlySet<string>;
  /** Selects a field, or gives an argument, that is not compiled. */
  isLeftToResolvers: boolean;
}

type Field = GraphQLField<unknown, unknown>;

/** The fields of a root type that SQL answers. */
export const answeredFields = (root: 'query' | 'mutation'): Field[] =>
  Object.values((root === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {}).filter(
    (field) => sqlAnswerOf(field),
  );

const queries = answeredFields('query');

/** How often a field of a kind is selected; of the others, half the time. */
const often: Readonly<Record<string, number>> = { link: 0.4, parent: 0.4, related: 0.15 };

/** How often a field of Query is asked for: each kind by its part of these. */
const roots = ['list', 'list', 'list', 'list', 'record', 'record', 'singleton', 'node', 'nodes'];

/** One to three fields of Query, or the given field of Mutation. */
export function randomOperation(random: Chance, { ids, orders }: Known, mutation?: Field): RandomOperation {
  const { chance, pick, upTo } = random;
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fragments: string[] = [];
  const used = new Set<string>();
  let isLeftToResolvers = false;
  let names = 0;

  /** The value as a variable or a literal. */
  const given = (type: string, value: unknown): string => {
    if (chance(0.4)) {
      return literal(value, (operand) => (chance(0.3) ? given(operand.type, operand.value) : undefined));
    }
    const name = `v${names++}`;
    const standard = chance(0.2) ? ` = ${literal(value)}` : '';
    if (!standard || chance(0.5)) variables[name] = value;
    // A variable with a default may be left out also where a value is required.
    declared.push(`$${name}: ${type}${standard}`);
    return `$${name}`;
  };
  const list = (items: string[]) => (items.length > 0 ? `(${items.join(', ')})` : '');

  /** Names of fields of another type, which might be other fields with the same name. */
  let isOtherType = false;
  const alias = (field: string) => {
    if (!isOtherType && !chance(0.3)) return field;
    const isLong = chance(0.05);
    // PostgreSQL truncates long names.
    if (isLong) isLeftToResolvers = true;
    return `a${names++}_${'x'.repeat(isLong ? 70 : 1)}: ${field}`;
  };

  const directive = (): string => {
    if (!chance(0.08)) return '';
    used.add('@include');
    if (mutation) isLeftToResolvers = true;
    return ` @${pick(['include', 'skip'])}(if: ${chance(0.3) ? chance(0.5) : given('Boolean!', chance(0.5))})`;
  };

  const idsOf = (resource?: Resource) => ids.get(resource?.model ?? pick(resources).model) ?? ['none'];

  /** The value of an input; `depth` bounds how far required inputs nest. */
  const inputValue = (type: GraphQLInputType, name: string, resource: Resource | undefined): unknown => {
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      return Array.from({ length: upTo(3) }, () => inputValue(nullable.ofType, name, resource));
    }
    if (!isInputObjectType(nullable)) {
      const of = resource?.parents.find(({ reference }) => reference === name)?.resource ?? resource;
      if (name === 'idx') return pick([0, 1, 1, 2]);
      return knownValue(random, getNamedType(type).name, idsOf(of));
    }
    const { lines = [] } = resource ?? {};
    const fields = Object.values(nullable.getFields()).filter(({ name, type }) => {
      if (isNonNullType(type)) return true;
      // They are refused more often than not: a state that is not reached so, a version of old, a line of another parent.
      return chance(['status', 'expectedVersion', 'id'].includes(name) ? 0.03 : 0.4);
    });
    return Object.fromEntries(
      fields.map(({ name, type }) => {
        const isCleared = !isNonNullType(type) && chance(0.1);
        const of = lines.find(({ field }) => field === name)?.resource ?? resource;
        return [name, isCleared ? null : inputValue(type, name, of)];
      }),
    );
  };

  /** The value of an argument; undefined if it is left out. */
  const argument = ({ name, type }: GraphQLArgument, resource: Resource | undefined, known?: KnownOrder): unknown => {
    switch (name) {
      case 'where':
        return resource && chance(0.4) ? randomFilter(random, resource, ids) : undefined;
      case 'orderBy':
        if (known) return known.order.length > 0 || chance(0.1) ? known.order : undefined;
        return resource && chance(0.2) ? randomOrder(random, resource) : undefined;
      case 'after':
      case 'before':
        return known && known.cursors.length > 0 && chance(0.25) ? pick(known.cursors) : undefined;
      case 'first':
      case 'limit':
        return chance(0.5) ? pick([0, 1, 2, 3, 20, 1000, 1001]) : undefined;
      case 'last':
        return chance(0.2) ? pick([0, 1, 2, 3, 1000]) : undefined;
      case 'offset':
        return chance(0.2) ? pick([0, 1, 2, 50]) : undefined;
      case 'id':
        return pick(idsOf(resource));
      case 'parentId':
        return pick(idsOf(resource?.parents[0]?.resource));
      case 'expectedVersion':
        return chance(0.1) ? pick([1, 2, 77]) : undefined;
      case 'ids':
        return mutation && !isNonNullType(type)
          ? undefined
          : Array.from({ length: upTo(3) }, () => pick(idsOf(resource)));
      default:
        if (!isNonNullType(type) && !chance(0.03)) return undefined;
        return inputValue(type, name, resource);
    }
  };

  const argumentsOf = (field: Field): string => {
    const answer = sqlAnswerOf(field);
    const filter = field.args.find(({ name }) => name === 'where')?.type;
    const { filterOf }: { filterOf?: Resource } = filter ? getNamedType(filter).extensions : {};
    const resource = answer && 'resource' in answer ? answer.resource : filterOf;
    const isPage = field.args.some(({ name }) => name === 'after');
    // For a list within a record, cursors of other orders are left to the resolvers.
    const all = isPage && resource && chance(0.6) ? (orders.get(resource.model) ?? []) : [];
    const possible = answer?.kind === 'related' ? all.filter(({ order }) => order.length === 0) : all;
    const known = possible.length > 0 ? pick(possible) : undefined;
    const items = field.args.flatMap((each) => {
      const value = argument(each, resource, known);
      if (value === undefined) return [];
      used.add(each.name);
      const name = { kind: Kind.NAME, value: each.name } as const;
      const nodes = [{ kind: Kind.ARGUMENT, name, value: { kind: Kind.NULL } }] as const;
      if (leavesToResolver(field, { kind: Kind.FIELD, name, arguments: nodes })) isLeftToResolvers = true;
      return [`${each.name}: ${given(String(each.type), value)}`];
    });
    return list(items);
  };

  const select = (field: Field, depth: number): string => {
    used.add(sqlAnswerOf(field)?.kind ?? '');
    const asked = `${field.name}${argumentsOf(field)}${directive()}${selection(field.type, depth)}`;
    return field.args.length > 0 ? `m${names++}: ${asked}` : alias(asked);
  };

  /** What is selected of a type, in brackets; nothing of a leaf. */
  const selection = (type: GraphQLOutputType, depth: number): string => {
    const named = getNamedType(type);
    if (isLeafType(named)) return '';
    if (!isObjectType(named)) {
      const parts = [pick(resources), pick(resources)].map(({ model }, index) => {
        const was = isOtherType;
        isOtherType ||= index > 0;
        const part = `... on ${model} { ${partsOf(model, depth - 1)} }`;
        isOtherType = was;
        return part;
      });
      return ` { __typename ${parts.join(' ')} id }`;
    }
    return ` { ${partsOf(named.name, depth)} }`;
  };

  const partsOf = (name = '', depth: number): string => {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`${name} is no type of objects`);
    const all = Object.values(type.getFields());
    const fields = all.filter((field) => sqlAnswerOf(field));
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
    const isRecord = 'record' in type.extensions;
    // Records have dozens of columns; of other types each field is asked for about as often as not.
    const some = isRecord ? Array.from({ length: 1 + upTo(5) }, () => pick(leaves)) : leaves.filter(() => chance(0.5));
    const parts = some.map((field) => select(field, depth));
    // The gateway computes titles.
    if (isRecord && all.some(({ name }) => name === 'displayTitle') && chance(0.02)) {
      isLeftToResolvers = true;
      parts.push('displayTitle');
    }
    if (depth > 0 || !isRecord) {
      for (const field of fields) {
        if (leaves.includes(field)) continue;
        const isAsked = chance(often[sqlAnswerOf(field)?.kind ?? ''] ?? 0.5);
        if (isAsked) parts.push(select(field, isRecord ? depth - 1 : depth));
      }
    }
    if (chance(0.15)) parts.push('__typename');
    if (isRecord) {
      if (chance(0.15)) parts.push(`... on ${name} { ${select(pick(leaves), 0)} }`);
      if (chance(0.1)) parts.push('... on Node { id }');
      if (chance(0.1)) parts.push(`...${directive()} { id }`);
      if (chance(0.15)) {
        const fragment = `F${names++}`;
        fragments.push(`fragment ${fragment} on ${name} { ${select(pick(leaves), 0)} }`);
        parts.push(`...${fragment}${directive()}`);
      }
    }
    return parts.join(' ') || '__typename';
  };

  const root = (field: Field): string => {
    used.add(sqlAnswerOf(field)?.kind ?? '');
    return `r${names++}: ${field.name}${argumentsOf(field)}${mutation ? '' : directive()}${selection(field.type, 2)}`;
  };

  const query = () => {
    const kind = pick(roots);
    return pick(queries.filter((field) => sqlAnswerOf(field)?.kind === kind));
  };
  const fields = mutation ? [mutation] : Array.from({ length: chance(0.8) ? 1 : 3 }, query);
  const asked = fields.map(root).join('\n');
  const text = `${mutation ? 'mutation' : 'query'}${list(declared)} { ${asked} }\n${fragments.join('\n')}`;
  // What a mutation returns is compiled but for connections, and conditions on lines that lead on to other types.
  if (mutation && (used.has('related') || used.has('where'))) isLeftToResolvers = true;
  return { query: text, variables, used, isLeftToResolvers };
}
