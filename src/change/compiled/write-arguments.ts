/** The arguments of a mutation. */
import {
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  specifiedScalarTypes,
} from 'graphql';
import { valueCheck } from '../../graphql/guards/value-problem.js';
import { constraintOf } from '../../graphql/inputs/constraint.js';
import type { Resource } from '../../model/resource.js';
import { type ArgumentValues, argumentValuesOf } from '../../query/compiled/argument-values.js';
import type { Described } from '../../query/compiled/described-fields.js';
import { NotCompilable } from '../../query/compiled/selection.js';
import { coercedVariables, type FromVariables } from '../../query/compiled/variables.js';
import { enumConversion } from './coerced-enums.js';

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
  const isMeant = (given: ArgumentValues) => onlyWith.every(([name, value]) => given[name] === value);
  const unchanged = unchangedArguments(operation, field, answer.resource);
  if (unchanged) {
    return (variables) => {
      const given: Record<string, unknown> = {};
      for (const { name, read, isAccepted } of unchanged) {
        given[name] = read(variables);
        if (!isAccepted(given[name])) return undefined;
      }
      return isMeant(given) ? given : undefined;
    };
  }
  const coerced = coercedVariables(schema, operation);
  return argumentValuesOf({ coerced }, definition, node, (given) => (isMeant(given) ? given : undefined));
}

/** An argument whose value the writer may use as it is. */
interface UnchangedArgument {
  name: string;
  read: FromVariables<unknown>;
  /** Whether it keeps the argument's own constraint. */
  isAccepted(value: unknown): boolean;
}

/**
 * The arguments, if each is a variable that coercion would not change, or is left out. Admission has checked the
 * variables by their types with all constraints inside; only the constraint of the argument itself is left to check.
 */
function unchangedArguments(
  { variableDefinitions = [] }: OperationDefinitionNode,
  { definition, nodes: [node] }: Described,
  resource: Resource,
): UnchangedArgument[] | undefined {
  const found: UnchangedArgument[] = [];
  for (const argument of definition.args) {
    const { name, type, defaultValue } = argument;
    const value = node?.arguments?.find((each) => each.name.value === name)?.value;
    if (!value) {
      if (defaultValue !== undefined) found.push({ name, read: () => defaultValue, isAccepted: () => true });
      continue;
    }
    const isAccepted = acceptedBy(argument);
    if (value.kind !== Kind.VARIABLE || defaultValue !== undefined || !isAccepted) return undefined;
    const variable = value.name.value;
    const declared = variableDefinitions.find((each) => each.variable.name.value === variable);
    if (!declared || declared.defaultValue || !isUnchanged(type, resource)) return undefined;
    const convert = enumConversion(type);
    found.push({
      name,
      read: convert ? (variables) => convert(variables[variable]) : (variables) => variables[variable],
      isAccepted,
    });
  }
  return found;
}

/**
 * Whether a value of the argument's type keeps its constraint; undefined for a constraint that takes more to check, and for
 * any that is not known here. GraphQL accepts a single value as a list of one: that is left to coercion.
 */
function acceptedBy(argument: GraphQLArgument): UnchangedArgument['isAccepted'] | undefined {
  const constraint = constraintOf(argument);
  const type = getNullableType(argument.type);
  if (isLeafType(type)) {
    const { notNull, ...ofValue } = constraint;
    if (notNull) return undefined;
    const check = valueCheck(type);
    return (value) => value == null || check(value, ofValue, true) === undefined;
  }
  const { maximumLength, ...others } = constraint;
  if (Object.keys(others).length > 0) return undefined;
  if (!isListType(type)) return maximumLength === undefined ? () => true : undefined;
  const most = maximumLength ?? Infinity;
  return (value) => value == null || (Array.isArray(value) && value.length <= most);
}

/**
 * Whether the writer gets the same value with and without GraphQL's coercion, but for the names of enums: scalars are
 * GraphQL's own, and the defaults of inputs are those of the record type. A single value in the place of a list inside an input is handled by
 * the writer.
 */
function isUnchanged(
  type: GraphQLInputType,
  resource: Resource,
  around: readonly GraphQLInputObjectType[] = [],
): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return isEnumType(named) || specifiedScalarTypes.some((scalar) => scalar === named);
  if (around.includes(named)) return false;
  return Object.values(named.getFields()).every(({ name, type: inner, defaultValue }) => {
    const lines = resource.lines.find(({ field }) => field === name);
    if (isListType(getNullableType(inner)) && !lines) return false;
    const isOwn = resource.fields.some((field) => field.name === name && field.default === defaultValue);
    const hasDefault = defaultValue !== undefined && !isOwn;
    return !hasDefault && isUnchanged(inner, lines?.resource ?? resource, [...around, named]);
  });
}
