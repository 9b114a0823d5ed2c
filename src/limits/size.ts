/** How many items a field can have, read off its arguments before it is resolved. */
import {
  type FieldNode,
  type GraphQLField,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { defaultPageSize, largestPageSize } from '../model/limits.js';
import { largest, type Term, type Variables } from './term.js';

type Definition = GraphQLField<unknown, unknown>;

/** The records of a page: `first` or `last`, else the default. Undefined where the field is no page. */
export function pageSize(definition: Definition, field: FieldNode, defaults: Variables): Term | undefined {
  const asked = ['first', 'last'].flatMap((name) => given(definition, field, name, 0, defaults) ?? []);
  const [first, last = 0] = asked;
  if (first === undefined) return undefined;
  const size = largest(first, last);
  if (typeof size === 'number') return size || defaultPageSize;
  return (variables, shared) => size(variables, shared) || defaultPageSize;
}

/**
 * The items of a list that is told how many: `limit`, or one for each of what is asked for or written. `presumed` are those
 * of a list that is not told.
 */
export function listSize(
  definition: Definition,
  field: FieldNode,
  defaults: Variables,
  presumed: number,
): Term | undefined {
  for (const name of ['limit', 'ids', 'inputs', 'updates']) {
    const size = given(definition, field, name, presumed, defaults);
    if (size !== undefined) return size;
  }
  return undefined;
}

/** What an operation's variables are where the request leaves them out. */
export function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && valueFromASTUntyped(defaultValue),
    ]),
  );
}

/** The argument's number or length; undefined where the field has no such argument. */
function given(
  { args }: Definition,
  field: FieldNode,
  name: string,
  presumed: number,
  defaults: Variables,
): Term | undefined {
  const argument = args.find((candidate) => candidate.name === name);
  if (!argument) return undefined;
  const otherwise = sizeOf(argument.defaultValue, presumed);
  const value = field.arguments?.find((candidate) => candidate.name.value === name)?.value;
  if (value?.kind !== Kind.VARIABLE) return sizeOf(value && literal(value), otherwise);
  const variable = value.name.value;
  return (variables) => sizeOf((Object.hasOwn(variables, variable) ? variables : defaults)[variable], otherwise);
}

/** Larger ones are refused when the arguments are checked, which says better what is wrong with them. */
function sizeOf(value: unknown, otherwise: number): number {
  if (Array.isArray(value)) return Math.min(value.length, largestPageSize);
  return typeof value === 'number' ? Math.min(Math.max(value, 0), largestPageSize) : otherwise;
}

function literal(node: ValueNode): unknown {
  if (node.kind === Kind.INT) return Number(node.value);
  return node.kind === Kind.LIST ? node.values : undefined;
}
