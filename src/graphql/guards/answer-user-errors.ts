import {
  type FieldNode,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type ValueNode,
} from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { recoverWith } from '../../common/maybe-promise.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import { guardResolver } from '../answered-by-sql.js';
import { isIncluded, selects } from '../operation/selected-nodes.js';
import { userErrorsOf } from '../shown-errors/user-errors.js';
import type { Refused } from '../types/payloads.js';

/**
 * Makes each mutation whose answer has `userErrors` return there the errors that the caller can correct, if it is
 * selected, instead of throwing them. The writes of the field are rolled back all the same.
 */
export function answerUserErrors(schema: GraphQLSchema): GraphQLSchema {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  for (const field of fields) {
    if (!hasUserErrors(field)) continue;
    guardResolver(field, (resolve) => (source, args, context, info) => {
      const perform = () => {
        refuseVariables(context, info);
        return resolve(source, args, context, info);
      };
      if (!selectsErrors(info)) return perform();
      return recoverWith<unknown>(perform, (error): Refused => {
        const userErrors = userErrorsOf(error, context);
        if (userErrors) return { userErrors };
        throw error;
      });
    });
  }
  return schema;
}

/** @throws BAD_USER_INPUT with the problems of variables that admission leaves to this field */
function refuseVariables({ problems = [] }: RequestContext, { fieldNodes: [node] }: GraphQLResolveInfo): void {
  if (problems.length > 0) throw errors.badInput(node ? placedInArguments(problems, node) : problems);
}

const userErrorsName = 'userErrors';

function selectsErrors({ schema, fragments, fieldNodes, returnType, variableValues }: GraphQLResolveInfo): boolean {
  const takes = (node: Parameters<typeof isIncluded>[0]) => isIncluded(node, variableValues);
  return selects(
    fieldNodes,
    { schema, fragments: new Map(Object.entries(fragments)), takes },
    returnType,
    userErrorsName,
  );
}

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

/** Makes every resolver count its error in the request's meter, if it has one. */
export function countErrors(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isRoot = type === schema.getMutationType();
    for (const field of Object.values(type.getFields())) {
      guardResolver(
        field,
        (resolve) => (source, args, context, info) =>
          recoverWith(
            () => resolve(source, args, context, info),
            (error) => {
              context.meter?.error(isRoot);
              throw error;
            },
          ),
      );
    }
  }
  return schema;
}

/** Makes every resolver count its value in the request's meter, if it has one. */
export function countValues(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isRoot = type === schema.getMutationType();
    for (const field of Object.values(type.getFields())) {
      guardResolver(field, (resolve) => (source, args, context, info) => {
        context.meter?.value(isRoot);
        return resolve(source, args, context, info);
      });
    }
  }
  return schema;
}
