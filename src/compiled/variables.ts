/** The values a request gives to the variables of an operation. */
import {
  type FieldNode,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import type { Variables } from '../operation/admission.js';

export type { Variables };

/** What a request asks, as its variables say it; undefined where the resolvers refuse it. */
export type FromVariables<Value> = (variables: Variables) => Value | undefined;

/** All variables of an operation, which admission has checked, as GraphQL coerces them; undefined where it cannot. */
export function coercedVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): FromVariables<Variables> {
  return perRequest((variables) => getVariableValues(schema, variableDefinitions, variables).coerced);
}

/** Works it out once for a request, whose variables are one object, and forgets it with them. */
export function perRequest<Value>(work: FromVariables<Value>): FromVariables<Value> {
  const done = new WeakMap<Variables, { value: Value | undefined }>();
  return (variables) => {
    const known = done.get(variables) ?? { value: work(variables) };
    done.set(variables, known);
    return known.value;
  };
}

/** Whether the arguments of a field name a variable, at any depth. */
export const namesVariables = ({ arguments: given = [] }: FieldNode): boolean =>
  given.some(({ value }) => holdsVariable(value));

function holdsVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(holdsVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => holdsVariable(field.value));
  return value.kind === Kind.VARIABLE;
}
