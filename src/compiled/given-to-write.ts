/** The arguments of a mutation. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  specifiedScalarTypes,
} from 'graphql';
import type { Resource } from '../model/resource.js';
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
  field: Described,
): FromVariables<Given> {
  const { answer, definition, nodes } = field;
  const [node] = nodes;
  if (!node || answer.kind !== 'write') throw new NotCompilable();
  const onlyWith = Object.entries(answer.onlyWith ?? {});
  const bare = bareVariables(operation, field, answer.resource);
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
  { definition, nodes: [node] }: Described,
  resource: Resource,
): [argument: string, variable: string][] | undefined {
  const pairs: [string, string][] = [];
  for (const { name, value } of node?.arguments ?? []) {
    if (value.kind !== Kind.VARIABLE) return undefined;
    const variable = variableDefinitions.find((each) => each.variable.name.value === value.name.value);
    if (!variable || variable.defaultValue) return undefined;
    pairs.push([name.value, value.name.value]);
  }
  const isPlain = definition.args.every(
    (argument) =>
      Object.keys(constraintOf(argument)).length === 0 &&
      !isListType(getNullableType(argument.type)) &&
      isUnchanged(argument.type, resource),
  );
  return isPlain ? pairs : undefined;
}

/**
 * Whether whoever writes gets from a value of the type what it would get from it once GraphQL has coerced it: the scalars
 * are GraphQL's own, and the defaults of an input are those with which a record of the resource is created anyway. A list
 * within an input that is given as one item is found by whoever writes.
 */
function isUnchanged(type: GraphQLInputType, resource: Resource): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return specifiedScalarTypes.some((scalar) => scalar === named);
  return Object.values(named.getFields()).every(({ name, type: inner, defaultValue }) => {
    const lines = resource.lines.find(({ field }) => field === name);
    if (lines) return isUnchanged(inner, lines.resource);
    const isOwn = resource.fields.some((field) => field.name === name && field.default === defaultValue);
    return isLeafType(getNamedType(inner)) && (isOwn || defaultValue === undefined) && isUnchanged(inner, resource);
  });
}
