/** Weighs a selection: its depth, its width, and the number of values its answer can hold. */

import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { oncePer } from '../../common/kept.js';
import { errors } from '../../model/errors/errors.js';
import { defaultPageSize, largestBatch, largestPageSize, mostLines, mostWordsSought } from '../../model/limits.js';
import { wordsOf } from '../../model/words.js';
import type { Fragments } from '../operation/selected-nodes.js';
import {
  byArguments,
  type CostTerm,
  combined,
  type Given,
  kept,
  largest,
  nothing,
  ownWeight,
  product,
  type SelectionCost,
  sum,
  totalCost,
} from './cost-parts.js';
import {
  comparisonWeight,
  deepestBrackets,
  deepestFields,
  introspectionWeight,
  presumedLines,
  previewWeight,
} from './sizes.js';

/**
 * The weight of an operation. Each fragment is weighed once, however often it is spread. A fragment that spreads itself
 * counts as nothing, because validation refuses it. @throws QUERY_TOO_COMPLEX for selections nested so deeply that walking
 * them would overflow the stack
 */
export function selectionCostOf(
  schema: GraphQLSchema,
  fragments: Fragments,
  operation: OperationDefinitionNode,
): SelectionCost {
  const scale = new CostVisitor(schema, fragments);
  const weight = scale.selections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, 1);
  // Fragments that are not spread are weighed too, because validation walks them.
  for (const name of fragments.keys()) scale.fragment(name, 1);
  return weight;
}

class CostVisitor {
  readonly #weighed = new Map<string, SelectionCost>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Fragments,
  ) {}

  selections(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType | undefined,
    level: number,
    reach: Multiplicity = 'once',
  ): SelectionCost {
    if (level > deepestBrackets) throw errors.queryTooComplex('depth', deepestFields);
    const parts = selections.map((selection) => this.#selection(selection, type, level, reach));
    const levels = 1 + Math.max(0, ...parts.map((part) => part.levels));
    if (levels > deepestBrackets) throw errors.queryTooComplex('depth', deepestFields);
    return combined(parts, levels);
  }

  fragment(name: string, level: number, reach: Multiplicity = 'once'): SelectionCost {
    const key = `${name} ${reach}`;
    const known = this.#weighed.get(key);
    if (known) return known;
    this.#weighed.set(key, nothing);
    const fragment = this.fragments.get(name);
    if (!fragment) return nothing;
    const type = this.schema.getType(fragment.typeCondition.name.value);
    const weight = this.selections(fragment.selectionSet, type, level + 1, reach);
    const { once, perRecord } = weight;
    const shared = { ...weight, once: kept(once), perRecord: kept(perRecord) };
    this.#weighed.set(key, shared);
    return shared;
  }

  #selection(
    selection: SelectionNode,
    type: GraphQLNamedType | undefined,
    level: number,
    reach: Multiplicity,
  ): SelectionCost {
    if (selection.kind === Kind.FIELD) return this.#field(selection, type, level, reach);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.fragment(selection.name.value, level, reach);
    const condition = selection.typeCondition?.name.value;
    const onType = condition ? this.schema.getType(condition) : type;
    return this.selections(selection.selectionSet, onType, level + 1, reach);
  }

  #field(field: FieldNode, type: GraphQLNamedType | undefined, level: number, reach: Multiplicity): SelectionCost {
    const definition = fieldDefinitionOf(type, field.name.value);
    const innerType = definition && getNamedType(definition.type);
    const isList = definition !== undefined && isListType(getNullableType(definition.type));
    const isParent = !isList && isRecord(type) && isRecord(innerType);
    const inner = field.selectionSet
      ? this.selections(field.selectionSet, innerType, level + 1, reachBelow(reach, isList, isParent))
      : nothing;
    const isLines = isList && isRecord(type) && isRecord(innerType);
    const isPreview = field.name.value === 'previewAction';
    const previews = inner.previews + (isPreview ? 1 : 0);
    const hasLines = inner.hasLines || isLines;
    const hasLists = inner.hasLists || (isList && isCompositeType(innerType));
    const climbs = inner.climbs || (isParent && inner.hasLines);
    const frame = { depth: inner.depth + 1, levels: inner.levels, width: 1, previews, hasLines, hasLists, climbs };
    if (!definition || !field.selectionSet) {
      const own = definition ? ownWeight(definition, field) : 0;
      return { ...frame, once: sum([1, own, inner.once]), perRecord: inner.perRecord };
    }
    if (definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef) {
      return { ...frame, once: sum([1, product(introspectionWeight, inner.once)]), perRecord: 0 };
    }
    const itself = sum([
      isPreview ? previewWeight : 1,
      conditionsWeight(definition, field),
      ownWeight(definition, field),
    ]);
    const page = pageSize(definition, field);
    if (page !== undefined) return { ...frame, once: sum([itself, totalCost(inner, page)]), perRecord: 0 };
    // Lines that are answered many times are presumed to be as many as possible.
    const presumed = isLines && (inner.climbs || reach === 'parent of each') ? mostLines : presumedLines;
    const list = introspectionSize(this.schema, type, field.name.value) ?? listSize(definition, field, presumed);
    const item = totalCost(inner, presumedLines);
    if (list !== undefined) {
      // The payload of many records holds their list, and is no cheaper where it is not asked for.
      const isPayload = type === this.schema.getMutationType() && !isList;
      const items = isPayload ? largest(list, totalCost(inner, list)) : product(list, item);
      return { ...frame, once: sum([itself, items]), perRecord: 0 };
    }
    // `nodes` and `edges`: the surrounding page determines their number.
    if (isList) return { ...frame, once: 1, perRecord: item };
    return { ...frame, once: sum([itself, inner.once]), perRecord: inner.perRecord };
  }
}

/**
 * How often a selection is answered: once, once for each record of a list, or for the parent of each record. All
 * records of a list may have the same parent, whose lines are then answered again for each of them.
 */
type Multiplicity = 'once' | 'each' | 'parent of each';

/** Whether the type is that of a record: `typeOfRecord` marks it. */
const isRecord = (type: GraphQLNamedType | undefined): boolean => type?.extensions.record !== undefined;

/** How often the selection inside a field is answered. */
function reachBelow(reach: Multiplicity, isList: boolean, isParent: boolean): Multiplicity {
  if (reach === 'parent of each') return reach;
  if (isParent && reach === 'each') return 'parent of each';
  return isList ? 'each' : reach;
}

// What the arguments of a field say about its cost: the weight of its filters and orders, and how many items it can return.

/** Arguments that make the database examine more rows than it returns, with the comparisons that each value makes. */
const weighed: ReadonlyMap<string, (value: unknown) => number> = new Map([
  ['where', comparisons],
  ['having', comparisons],
  ['orderBy', itemsOf],
  ['groupBy', itemsOf],
  ['search', wordsIn],
]);

/** The weight of a field's filters and orders; 0 where it has none. */
function conditionsWeight({ args }: Definition, field: FieldNode): CostTerm {
  const conditions = args.flatMap(({ name }) => {
    const weigh = weighed.get(name);
    return weigh && field.arguments?.some((argument) => argument.name.value === name) ? [{ name, weigh }] : [];
  });
  if (conditions.length === 0) return 0;
  // A list of lines has no pages: the lines of one record are few compared with all records of a type.
  const factor = args.some(({ name }) => name === 'first' || name === 'after') ? comparisonWeight : 1;
  return byArguments(field, (given) =>
    conditions.reduce((total, { name, weigh }) => total + factor * weigh(given(name)), 0),
  );
}

/**
 * The comparisons that a filter makes for one record: one for each operator. A condition on lines is checked for each
 * line, so nested relations multiply.
 */
function comparisons(value: unknown, lines = presumedLines): number {
  if (value === null || value === undefined) return 0;
  if (typeof value !== 'object') return 1;
  if (Array.isArray(value)) {
    return value.some(isObject) ? value.reduce<number>((total, each) => total + comparisons(each, lines), 0) : 1;
  }
  return Object.entries(value).reduce((total, [name, inner]) => {
    const isOfLines = overLines.has(name) && isObject(inner);
    // Lines that are reached from other lines belong to one parent, which may have any number of them, so the maximum
    // counts.
    if (isOfLines) return total + lines * Math.max(1, comparisons(inner, mostLines));
    // Also without conditions, a linked record or a parent is looked up to see whether there is one.
    const least = isObject(inner) && !logical.has(name) ? 1 : 0;
    return total + Math.max(least, comparisons(inner, lines));
  }, 0);
}

/** One for each field to sort or group by. */
function itemsOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return Array.isArray(value) ? value.length : 1;
}

export function wordsIn(value: unknown): number {
  return typeof value === 'string' ? wordsOf(value, mostWordsSought).length : 0;
}

const overLines: ReadonlySet<string> = new Set(['some', 'every', 'none']);
const logical: ReadonlySet<string> = new Set(['and', 'or', 'not']);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** How many items a field can return, computed from its arguments. */
type Definition = GraphQLField<unknown, unknown>;

/** The size of a page: `first` or `last`, else the default. Undefined where the field is not a connection. */
export function pageSize({ args }: Definition, field: FieldNode): CostTerm | undefined {
  const [first, last] = args.filter(({ name }) => name === 'first' || name === 'last').map(sizeOf);
  if (!first) return undefined;
  return byArguments(field, (given) => Math.max(first(given) ?? 0, last?.(given) ?? 0) || defaultPageSize);
}

/**
 * The size of a list: its `limit`, or the number of its `ids`, `inputs`, `updates` or `representations`. `presumed` is the
 * size of a list without `limit`. Undefined where the field has none of these arguments.
 */
function listSize({ args }: Definition, field: FieldNode, presumed: number): CostTerm | undefined {
  const sizing = ['limit', 'ids', 'inputs', 'updates', 'representations'];
  const [size] = args.filter(({ name }) => sizing.includes(name)).map(sizeOf);
  // Records that a filter finds in place of ids are as many as may be named.
  const isFound = ['ids', 'where'].every((each) => args.some(({ name }) => name === each));
  return size && byArguments(field, (given) => size(given) ?? (isFound ? largestBatch : presumed));
}

/** The number in an argument or the length of its list, or those of its default; undefined where it has neither. */
function sizeOf({ name, type, defaultValue }: GraphQLArgument): (given: Given) => number | undefined {
  const size = isListType(getNullableType(type)) ? lengthOf : numberOf;
  return (given) => size(given(name)) ?? size(defaultValue);
}

// Both are capped at the largest page: checking the arguments refuses larger values with a better message.

/** A single value stands for a list of it. Undefined where nothing is given. */
function lengthOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? Math.min(value.length, largestPageSize) : 1;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? Math.min(Math.max(value, 0), largestPageSize) : undefined;
}

// Introspection fields for the cost: the fields `__schema` and `__type` are listed by no type of the schema.

/** The definition of a type's field; undefined where the type has no such field. */
function fieldDefinitionOf(type: GraphQLNamedType | undefined, name: string): Definition | undefined {
  if (name === '__schema') return SchemaMetaFieldDef;
  if (name === '__type') return TypeMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** How many items an introspection list has; undefined for other fields and for single values. */
function introspectionSize(
  schema: GraphQLSchema,
  type: GraphQLNamedType | undefined,
  name: string,
): number | undefined {
  if (!type?.name.startsWith('__')) return undefined;
  return introspectionSizes(schema).get(`${type.name}.${name}`);
}

/**
 * The sizes of introspection lists, by `Type.field`: exact for the lists of the schema itself, otherwise the mean over
 * all types. About every second type has an `ofType`.
 */
const introspectionSizes = oncePer((schema: GraphQLSchema): ReadonlyMap<string, number> => {
  const types = Object.values(schema.getTypeMap());
  const outputs = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const fields = outputs.flatMap((type) => Object.values(type.getFields()));
  const inputFields = types.filter(isInputObjectType).flatMap((type) => Object.values(type.getFields()));
  const enumValues = types.filter(isEnumType).flatMap((type) => type.getValues());
  const interfaces = outputs.flatMap((type) => type.getInterfaces());
  const directives = schema.getDirectives();
  const perType = (items: readonly unknown[]) => items.length / types.length;
  return new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', directives.length],
    ['__Type.fields', perType(fields)],
    ['__Type.inputFields', perType(inputFields)],
    ['__Type.enumValues', perType(enumValues)],
    ['__Type.interfaces', perType(interfaces)],
    ['__Type.possibleTypes', perType(interfaces)],
    ['__Type.ofType', 0.5],
    ['__Field.args', fields.flatMap(({ args }) => args).length / fields.length],
    ['__Directive.args', directives.flatMap(({ args }) => args).length / directives.length],
  ]);
});
