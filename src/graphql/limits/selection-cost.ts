/** Weighs a selection: its depth, its width, and the number of values its answer can hold. */
import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { errors } from '../../model/errors/errors.js';
import { mostLines } from '../../model/limits.js';
import type { Fragments } from '../operation/selected-nodes.js';
import {
  combined,
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
  conditionsWeight,
  fieldDefinitionOf,
  introspectionSize,
  isIntrospection,
  listSize,
  pageSize,
} from './field-cost.js';
import { deepestBrackets, deepestFields, introspectionWeight, presumedLines, previewWeight } from './sizes.js';

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
    if (isIntrospection(definition)) {
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
