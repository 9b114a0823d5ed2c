import { type GraphQLSchema, isInputType, type OperationDefinitionNode, typeFromAST } from 'graphql';
import type { Problem } from '../../errors.js';
import { inputProblems } from './input-problems.js';

/** All problems of an operation's variables, by their declared types. */
export function variableProblems(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Problem[] {
  return variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) return [];
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined && defaultValue) return [];
    return inputProblems(value, { type, constraint: {} }, [name]);
  });
}
