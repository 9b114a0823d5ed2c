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
import type { Resource } from '../../model/resource.js';
import { constraintOf } from '../../schema/inputs/constraint.js';
import { type ArgumentValues, argumentValuesOf } from '../argument-values.js';
import type { Described } from '../described-fields.js';
import { NotCompilable } from '../selection.js';
import { coercedVariables, type FromVariables } from '../variables.js';

/**
 * The arguments as the field's resolver gets them, except for defaults inside inputs, which the writer fills in.
 * Undefined if the resolver would refuse them. @throws NotCompilable
 */
export function writeArguments(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  field: Described,
): FromVariables<ArgumentValues> {
  const { answer, definition, nodes } = field;
  const [node] = nodes;
  if (!node || answer.kind !== 'write') throw new NotCompilable();
  const onlyWith = Object.entries(answer.onlyWith ?? {});
  const bare = bareVariables(operation, field, answer.resource);
  if (bare && onlyWith.length === 0) {
    return (variables) => Object.fromEntries(bare.map(([argument, variable]) => [argument, variables[variable]]));
  }
  const coerced = coercedVariables(schema, operation);
  return argumentValuesOf({ coerced }, definition, node, (given) =>
    onlyWith.every(([name, value]) => given[name] === value) ? given : undefined,
  );
}

/**
 * The variable of each argument, if the request's variables can be used unchanged: admission has checked their types,
 * the arguments have no constraints, and coercion would change no value.
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
 * Whether the writer gets the same value with and without GraphQL's coercion: scalars are GraphQL's own, and the
 * defaults of inputs are those of the record type. A single value in the place of a list inside an input is handled by
 * the writer.
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
