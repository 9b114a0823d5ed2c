import {
  coerceInputValue,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputType,
  type OperationDefinitionNode,
  OperationTypeNode,
  typeFromAST,
} from 'graphql';
import { fragmentsOf } from '../../common/fragments.js';
import { isObject } from '../../common/is-object.js';
import type { Problem } from '../../model/errors/problem.js';
import { defaultsOf } from '../limits/size.js';
import { isIncluded, nodesSelected, selects } from '../operation/selected-nodes.js';
import { type CheckedType, checkedType } from './value-problem.js';

/**
 * If each field of an operation returns these problems of its variables in its answer, because it selects `userErrors`:
 * the variables with which GraphQL comes to the fields, none of which does anything with them. Only what is missing in a
 * variable is added for that: a value of another type, null where none is taken and an unknown name are errors of the
 * request, and so is a value beyond a limit, which is not checked any further.
 */
export function variablesWithUserErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  problems: readonly Problem[],
): Readonly<Record<string, unknown>> | undefined {
  if (definition.operation !== OperationTypeNode.MUTATION) return undefined;
  // GraphQL refuses an unknown name all the same, and to look for it again takes as long as to read all of the names.
  if (problems.some(({ isTooMuch, code }) => isTooMuch || code === 'parameter_unknown')) return undefined;
  if (problems.some(({ path: [name, ...rest] }) => rest.length === 0 && variables[String(name)] === null))
    return undefined;
  const accepted = acceptedBy(schema, definition, variables);
  if (!accepted) return undefined;
  const type = schema.getMutationType();
  if (!type) return undefined;
  const values = { ...defaultsOf(definition), ...variables };
  const takes = (node: Parameters<typeof isIncluded>[0]) => isIncluded(node, values);
  const selecting = { schema, fragments: fragmentsOf(document), takes };
  const isReported = [...nodesSelected([definition.selectionSet], selecting, type).values()].every((nodes) => {
    const name = nodes[0]?.name.value ?? '';
    const field = type.getFields()[name];
    return name === '__typename' || (field && selects(nodes, selecting, field.type, 'userErrors'));
  });
  return isReported ? accepted : undefined;
}

/**
 * The variables with what GraphQL misses in them; undefined if it refuses them all the same. It is asked only for its
 * first error: `getVariableValues` would describe each by an inspection of the whole value and by similar names, which
 * takes minutes for a body of 1 MB.
 */
function acceptedBy(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const accepted = { ...variables };
  for (const { variable, type: typeNode, defaultValue } of variableDefinitions) {
    const type = typeFromAST(schema, typeNode);
    const name = variable.name.value;
    const value = variables[name];
    if (!isInputType(type) || (value === undefined && defaultValue) || isAccepted(value, type)) continue;
    accepted[name] = filled(value, checkedType(type));
    if (!isAccepted(accepted[name], type)) return undefined;
  }
  return accepted;
}

function isAccepted(value: unknown, type: GraphQLInputType): boolean {
  const refuse = (): never => {
    throw notAccepted;
  };
  try {
    coerceInputValue(value, type, refuse, true);
    return true;
  } catch (error) {
    if (error === notAccepted) return false;
    throw error;
  }
}

/** The value with the least that may not be left out of its objects. */
function filled(value: unknown, { content }: CheckedType): unknown {
  if (content.kind === 'list' && Array.isArray(value)) return value.map((each) => filled(each, content.item));
  if (content.kind === 'list') return filled(value, content.item);
  if (content.kind === 'value' || !isObject(value)) return value;
  const { byName, required } = content.fieldsOf();
  const given = Object.entries(value).map(([name, each]) => {
    const field = byName.get(name);
    return [name, field ? filled(each, field.type) : each];
  });
  const missing = required.filter(({ name }) => value[name] === undefined);
  return Object.fromEntries([...given, ...missing.map(({ name, type }) => [name, leastOf(type)])]);
}

function leastOf({ type, content }: CheckedType): unknown {
  if (content.kind === 'list') return [];
  if (content.kind === 'object') return filled({}, { type, content, isNonNull: true });
  if (isEnumType(type)) return type.getValues()[0]?.name;
  return leastValues[getNamedType(type).name] ?? '';
}

const leastValues: Readonly<Record<string, unknown>> = { Int: 0, Float: 0, Boolean: false, DateTime: '1970-01-01' };

const notAccepted = new Error('The value is of another type');
