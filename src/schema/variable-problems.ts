import { type DocumentNode, type GraphQLSchema, getOperationAST, isInputType, typeFromAST } from 'graphql';
import type { Problem } from '../errors.js';
import { inputProblems } from './input-problems.js';

/** Everything wrong with the variables an operation is given, by the types it declares for them. */
export function variableProblems(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  operationName?: string | null,
): Problem[] {
  const operation = getOperationAST(document, operationName);
  return (operation?.variableDefinitions ?? []).flatMap(({ variable, type: typeNode, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) return [];
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined && defaultValue) return [];
    return inputProblems(value, { type, constraint: {} }, [name]);
  });
}
