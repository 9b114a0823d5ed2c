import { type GraphQLSchema, isInputType, type OperationDefinitionNode, typeFromAST } from 'graphql';
import type { Problem } from '../../errors.js';
import { type CheckedType, checkedType } from './checked-type.js';
import { inputProblems } from './input-problems.js';

/** All problems of an operation's variables, by their declared types. */
export type VariableCheck = (
  definition: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => Problem[];

/** The types that an operation declares are looked up once. */
export function createVariableCheck(schema: GraphQLSchema): VariableCheck {
  const known = new WeakMap<OperationDefinitionNode, readonly DeclaredVariable[]>();
  return (definition, variables) => {
    const declared = known.get(definition) ?? declaredVariables(schema, definition);
    known.set(definition, declared);
    return declared.flatMap(({ name, type, hasDefault }) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined && hasDefault) return [];
      return inputProblems(value, { type, constraint: {} }, [name]);
    });
  };
}

interface DeclaredVariable {
  name: string;
  type: CheckedType;
  hasDefault: boolean;
}

function declaredVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): DeclaredVariable[] {
  return variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) return [];
    return [{ name: variable.name.value, type: checkedType(type), hasDefault: defaultValue !== undefined }];
  });
}
