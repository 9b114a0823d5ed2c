import {
  coerceInputValue,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import type { Problem } from '../../errors/problem.js';
import { fragmentsOf } from '../../fragments.js';
import { defaultsOf } from '../../limits/size.js';
import { isIncluded, selects } from './selects.js';

/**
 * Whether each field of an operation returns these problems of its variables in its answer, because it selects
 * `userErrors`. GraphQL itself has to accept the variables: what it refuses is an error of the request, such as null
 * where none is taken. So is a value beyond a limit, which is not checked any further.
 */
export function reportedAsUserErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  problems: readonly Problem[],
): boolean {
  if (definition.operation !== OperationTypeNode.MUTATION) return false;
  if (problems.some(({ isTooMuch }) => isTooMuch)) return false;
  if (problems.some(({ path: [name, ...rest] }) => rest.length === 0 && variables[String(name)] === null)) return false;
  if (!isAccepted(schema, definition, variables)) return false;
  const fragments = Object.fromEntries(fragmentsOf(document));
  const variableValues = { ...defaultsOf(definition), ...variables };
  const asked = fieldsIn(definition.selectionSet, fragments, variableValues);
  return [...asked.values()].every(
    (fieldNodes) =>
      fieldNodes.some(({ name }) => name.value === '__typename') ||
      selects({ fieldNodes, fragments, variableValues }, 'userErrors'),
  );
}

/**
 * Whether GraphQL takes the variables. It is asked only for the first error: `getVariableValues` would describe each by
 * an inspection of the whole value and by similar names, which takes minutes for a body of 1 MB.
 */
function isAccepted(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  const refuse = (): never => {
    throw notAccepted;
  };
  try {
    for (const { variable, type: typeNode, defaultValue } of variableDefinitions) {
      const type = typeFromAST(schema, typeNode);
      const value = variables[variable.name.value];
      if (isInputType(type) && (value !== undefined || !defaultValue)) coerceInputValue(value, type, refuse, true);
    }
    return true;
  } catch (error) {
    if (error === notAccepted) return false;
    throw error;
  }
}

const notAccepted = new Error('The value is of another type');

/** The nodes of each field at the top of an operation, by the names that they have in its answer. */
function fieldsIn(
  { selections }: SelectionSetNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  variables: Parameters<typeof isIncluded>[1],
  found = new Map<string, FieldNode[]>(),
  seen = new Set<string>(),
): Map<string, FieldNode[]> {
  for (const selection of selections) {
    if (!isIncluded(selection, variables)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      found.set(key, [...(found.get(key) ?? []), selection]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      fieldsIn(selection.selectionSet, fragments, variables, found, seen);
    } else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const fragment = fragments[selection.name.value];
      if (fragment) fieldsIn(fragment.selectionSet, fragments, variables, found, seen);
    }
  }
  return found;
}
