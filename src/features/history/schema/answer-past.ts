/**
 * Answers fields of records of the past from what was read of the past. The resolvers of present records would read the
 * database, and show a present value as one of the past.
 */
import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import type { RequestContext } from '../../../change/context.js';
import { guardResolver, recordOf } from '../../../graphql/answered-by-sql.js';
import { errors } from '../../../model/errors/errors.js';
import { isPast, type PastRecord } from '../past/past-document.js';

/** The arguments as GraphQL gives them to any resolver. */
type Arguments = Parameters<GraphQLFieldResolver<unknown, RequestContext>>[1];
type PastAnswer = (row: PastRecord, args: Arguments, context: RequestContext) => unknown;

/** The extensions of a record field that can be asked with `asOf`. */
export const answeredOfPast = (past: PastAnswer): { past: PastAnswer } => ({ past });

const pastAnswerOf = ({ extensions }: { extensions: { past?: PastAnswer } }): PastAnswer | undefined => extensions.past;

/**
 * Makes each record field answer for records of the past as its extensions say. A field without them is refused there.
 */
export function answerPast(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !recordOf(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const answer = pastAnswerOf(field);
      guardResolver(field, (resolve) => (source, args, context, info) => {
        if (!isPast(source)) return resolve(source, args, context, info);
        if (answer) return answer(source, args, context);
        const message = 'is not known of the past; ask for it without `asOf`';
        throw errors.badInput([{ path: [field.name], code: 'parameter_invalid', message }]);
      });
    }
  }
  return schema;
}
