/** How many items a field can return, computed from its arguments. */
import {
  type FieldNode,
  type GraphQLField,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { defaultPageSize, largestPageSize } from '../../model/limits.js';
import type { Variables } from '../../model/selection.js';
import { type CostTerm, largest } from './cost-parts.js';

type Definition = GraphQLField<unknown, unknown>;

/** The size of a page: `first` or `last`, else the default. Undefined where the field is not a connection. */
export function pageSize(definition: Definition, field: FieldNode, defaults: Variables): CostTerm | undefined {
  const asked = ['first', 'last'].flatMap((name) => given(definition, field, name, 0, defaults) ?? []);
  const [first, last = 0] = asked;
  if (first === undefined) return undefined;
  const size = largest(first, last);
  if (typeof size === 'number') return size || defaultPageSize;
  return (variables, shared) => size(variables, shared) || defaultPageSize;
}

/**
 * The size of a list: its `limit`, or the number of its `ids`, `inputs`, `updates` or `representations`. `presumed` is the
 * size of a list without `limit`. Undefined where the field has none of these arguments.
 */
export function listSize(
  definition: Definition,
  field: FieldNode,
  defaults: Variables,
  presumed: number,
): CostTerm | undefined {
  for (const name of ['limit', 'ids', 'inputs', 'updates', 'representations']) {
    const size = given(definition, field, name, presumed, defaults);
    if (size !== undefined) return size;
  }
  return undefined;
}

/** The default values of an operation's variables. */
export function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && valueFromASTUntyped(defaultValue),
    ]),
  );
}

/** The number in an argument or the length of its list; undefined where the field has no such argument. */
function given(
  { args }: Definition,
  field: FieldNode,
  name: string,
  presumed: number,
  defaults: Variables,
): CostTerm | undefined {
  const argument = args.find((candidate) => candidate.name === name);
  if (!argument) return undefined;
  const sizeOf = isListType(getNullableType(argument.type)) ? lengthOf : numberOf;
  const otherwise = sizeOf(argument.defaultValue) ?? presumed;
  const value = field.arguments?.find((candidate) => candidate.name.value === name)?.value;
  if (value?.kind !== Kind.VARIABLE) return sizeOf(value && literal(value)) ?? otherwise;
  const variable = value.name.value;
  return (variables) => sizeOf((Object.hasOwn(variables, variable) ? variables : defaults)[variable]) ?? otherwise;
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

/** The value as far as its size depends on it: the number of a list's items, whatever they are. */
function literal(node: ValueNode): unknown {
  if (node.kind === Kind.NULL) return null;
  if (node.kind === Kind.INT) return Number(node.value);
  return node.kind === Kind.LIST ? node.values : node;
}
