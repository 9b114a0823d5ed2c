import { type GraphQLField, type GraphQLResolveInfo, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { recoverWith } from '../../common/maybe-promise.js';
import { errors } from '../../model/errors/errors.js';
import { guardResolver } from '../answered-by-sql.js';
import { userErrorsOf } from '../shown-errors/user-errors.js';
import type { Refused } from '../types/user-error.js';
import { placedInArguments } from './placed-in-arguments.js';
import { selects } from './selects.js';

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
      if (!selects(info, userErrorsName)) return perform();
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

function hasUserErrors({ type }: GraphQLField<unknown, RequestContext>): boolean {
  const answer = getNamedType(type);
  return isObjectType(answer) && Object.hasOwn(answer.getFields(), userErrorsName);
}
