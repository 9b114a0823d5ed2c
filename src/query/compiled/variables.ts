/** The variables of a request. */
import {
  type FieldNode,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import type { Variables } from '../../graphql/operation/admission.js';

export type { Variables };

/** A value computed from a request's variables; undefined if the resolvers must handle them. */
export type FromVariables<Value> = (variables: Variables) => Value | undefined;

/**
 * All variables of an operation, coerced by GraphQL; undefined if one is invalid. Admission has checked their types.
 */
export function coercedVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): FromVariables<Variables> {
  return perRequest((variables) => getVariableValues(schema, variableDefinitions, variables).coerced);
}

/** Computes a value once for each request: its variables are one object, which is the key. */
export function perRequest<Value>(work: FromVariables<Value>): FromVariables<Value> {
  const done = new WeakMap<Variables, { value: Value | undefined }>();
  return (variables) => {
    const known = done.get(variables) ?? { value: work(variables) };
    done.set(variables, known);
    return known.value;
  };
}

/** Whether the arguments of a field contain a variable, at any depth. */
export const namesVariables = ({ arguments: given = [] }: FieldNode): boolean =>
  given.some(({ value }) => holdsVariable(value));

function holdsVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(holdsVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => holdsVariable(field.value));
  return value.kind === Kind.VARIABLE;
}
