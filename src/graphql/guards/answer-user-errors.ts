import {
  coerceInputValue,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  typeFromAST,
  type ValueNode,
} from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { isObject } from '../../common/is-object.js';
import { recoverWith } from '../../common/maybe-promise.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import { NamedValues } from '../../model/selection.js';
import type { Guard } from '../answered-by-sql.js';
import { completing } from '../limits/operation-cost.js';
import { fragmentsOf, isIncluded, nodesSelected } from '../operation/selected-nodes.js';
import { selectionIn } from '../operation/selection.js';
import { userErrorsOf } from '../shown-errors/show-error.js';
import type { Refused } from '../types/payloads.js';
import { type CheckedType, checkedType } from './check-input.js';

/**
 * Makes each mutation whose answer has `userErrors` return there the errors that the caller can correct, if it is
 * selected, instead of throwing them. The writes of the field are rolled back all the same.
 */
export const answerUserErrors: Guard = (field, type, schema) => {
  if (type !== schema.getMutationType() || !hasUserErrors(field)) return undefined;
  return (resolve) => (source, args, context, info) => {
    const perform = () => {
      refuseVariables(context, info);
      return resolve(source, args, context, info);
    };
    if (!selectionIn(info).fields.some(({ name }) => name === userErrorsName)) return perform();
    return recoverWith<unknown>(perform, (error): Refused => {
      const userErrors = userErrorsOf(error, context);
      if (userErrors) return { userErrors };
      throw error;
    });
  };
};

/** @throws BAD_USER_INPUT with the problems of variables that admission leaves to this field */
function refuseVariables({ problems = [] }: RequestContext, { fieldNodes: [node] }: GraphQLResolveInfo): void {
  if (problems.length > 0) throw errors.badInput(node ? placedInArguments(problems, node) : problems);
}

const userErrorsName = 'userErrors';

function hasUserErrors({ type }: GraphQLField<unknown, RequestContext>): boolean {
  const answer = getNamedType(type);
  return isObjectType(answer) && Object.hasOwn(answer.getFields(), userErrorsName);
}

/**
 * The problems of variables that a field uses, at the place where it uses each first, whatever it is called. A field that uses
 * none of them has the first problem, and the message says so, because that field is not executed either.
 */
function placedInArguments(given: readonly Problem[], field: FieldNode): readonly Problem[] {
  const placed = given.map((problem) => placedIn(problem, field));
  const own = placed.filter(({ isElsewhere }) => !isElsewhere);
  return own.some(({ path }) => path.length > 0) ? own : placed.slice(0, 1);
}

function placedIn(given: Problem, field: FieldNode): Problem {
  const {
    path: [variable, ...rest],
    ...problem
  } = given;
  if (variable === undefined) return given;
  for (const { name, value } of field.arguments ?? []) {
    const place = placeIn(value, String(variable));
    if (place) return { ...problem, path: [name.value, ...place, ...rest] };
  }
  const message = `${problem.message}; another field of the operation uses it, and none of them was executed`;
  return { ...problem, message, path: [`$${variable}`, ...rest], isElsewhere: true };
}

function placeIn(value: ValueNode, variable: string): Problem['path'] | undefined {
  if (value.kind === Kind.VARIABLE) return value.name.value === variable ? [] : undefined;
  const inner: [string | number, ValueNode][] =
    value.kind === Kind.LIST
      ? value.values.map((each, index) => [index, each])
      : value.kind === Kind.OBJECT
        ? value.fields.map((each) => [each.name.value, each.value])
        : [];
  for (const [name, each] of inner) {
    const place = placeIn(each, variable);
    if (place) return [name, ...place];
  }
  return undefined;
}

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
  const values = completing(definition)(variables);
  const takes = (node: Parameters<typeof isIncluded>[0]) => isIncluded(node, values);
  const selecting = { schema, fragments: fragmentsOf(document), takes };
  const isReported = nodesSelected([definition.selectionSet], selecting, type).every(({ name, nodes }) => {
    const answer = getNamedType(type.getFields()[name]?.type);
    if (!isObjectType(answer)) return name === '__typename';
    const sets = nodes.map(({ selectionSet }) => selectionSet);
    return nodesSelected(sets, selecting, answer).some((field) => field.name === userErrorsName);
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
  const accepted = Object.assign(new NamedValues(), variables);
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
