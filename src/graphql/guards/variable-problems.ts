import { type DocumentNode, type GraphQLSchema, isInputType, type OperationDefinitionNode, typeFromAST } from 'graphql';
import { mostProblems, type Problem } from '../../model/errors/problem.js';
import { type CheckedType, checkedType } from './checked-type.js';
import { inputProblems } from './input-problems.js';
import { anyBounds, type Bounds, variableBounds } from './variable-bounds.js';

/** The problems of an operation's variables, by their declared types: the first ones, and how many more each has. The document is valid. */
export type VariableCheck = (
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => Problem[];

/** The types that an operation declares are looked up once. */
export function createVariableCheck(schema: GraphQLSchema): VariableCheck {
  const known = new WeakMap<OperationDefinitionNode, readonly DeclaredVariable[]>();
  return (document, definition, variables) => {
    const declared = known.get(definition) ?? declaredVariables(schema, document, definition);
    known.set(definition, declared);
    const problems: Problem[] = [];
    for (const { name, type, bounds, hasDefault } of declared) {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined && (hasDefault || !type.isNonNull)) continue;
      if (isRightValue(value, type, bounds)) continue;
      const room = Math.max(0, mostProblems - problems.length);
      problems.push(...inputProblems(value, { type, constraint: bounds }, [name], { room }));
    }
    return problems;
  };
}

/** Whether a value of a scalar or an enum has no problems, as most have: collecting none takes longer than to see it. */
const isRightValue = (value: unknown, { content }: CheckedType, bounds: Bounds): boolean =>
  value != null && content.kind === 'value' && content.check(value, bounds, false) === undefined;

interface DeclaredVariable {
  name: string;
  type: CheckedType;
  bounds: Bounds;
  hasDefault: boolean;
}

function declaredVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): DeclaredVariable[] {
  const { variableDefinitions = [] } = definition;
  if (variableDefinitions.length === 0) return [];
  const bounds = variableBounds(schema, document, definition);
  return variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) return [];
    const name = variable.name.value;
    const hasDefault = defaultValue !== undefined;
    return [{ name, type: checkedType(type), bounds: bounds.get(name) ?? anyBounds, hasDefault }];
  });
}
