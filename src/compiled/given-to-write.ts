/** The arguments of a mutation. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { constraintOf } from '../schema/constraint.js';
import type { Described } from './described.js';
import { type Given, givenTo } from './given.js';
import { NotCompilable } from './selection.js';
import { coercedVariables, type FromVariables } from './variables.js';

/**
 * The arguments as the resolver of the field gets them, but for defaults within an input, which whoever writes fills in.
 * Undefined where the resolver refuses them. @throws NotCompilable
 */
export function givenToWrite(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  { answer, definition, nodes: [node] }: Described,
): FromVariables<Given> {
  if (!node || answer.kind !== 'write') throw new NotCompilable();
  const onlyWith = Object.entries(answer.onlyWith ?? {});
  const bare = bareVariables(operation, { definition, node });
  if (bare && onlyWith.length === 0) {
    return (variables) => Object.fromEntries(bare.map(([argument, variable]) => [argument, variables[variable]]));
  }
  const coerced = coercedVariables(schema, operation);
  return givenTo({ coerced }, definition, node, (given) =>
    onlyWith.every(([name, value]) => given[name] === value) ? given : undefined,
  );
}

/**
 * Each argument with its variable, where the request's variables are the arguments as they are: admission has checked them
 * by their types, nothing further is asked of the arguments, and GraphQL would change none of the values.
 */
function bareVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  { definition, node }: { definition: Described['definition']; node: Described['nodes'][number] },
): [argument: string, variable: string][] | undefined {
  const pairs: [string, string][] = [];
  for (const { name, value } of node.arguments ?? []) {
    if (value.kind !== Kind.VARIABLE) return undefined;
    const variable = variableDefinitions.find((each) => each.variable.name.value === value.name.value);
    if (!variable || variable.defaultValue) return undefined;
    pairs.push([name.value, value.name.value]);
  }
  const isPlain = definition.args.every(
    (argument) =>
      Object.keys(constraintOf(argument)).length === 0 &&
      !isListType(getNullableType(argument.type)) &&
      isUnchanged(argument.type, new Set()),
  );
  return isPlain ? pairs : undefined;
}

/**
 * Whether the values of a type are the same once GraphQL has coerced them, but for the defaults of an input, and for lists
 * in it that are given as one item: whoever writes looks for these.
 */
function isUnchanged(type: GraphQLInputType, seen: Set<string>): boolean {
  const named = getNamedType(type);
  if (seen.has(named.name)) return true;
  seen.add(named.name);
  if (!isInputObjectType(named)) return isSpecifiedScalarType(named);
  return Object.values(named.getFields()).every((field) => isUnchanged(field.type, seen));
}
