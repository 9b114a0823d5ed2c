import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../context.js';
import { answerLimitIn } from '../database/answer-limit.js';
import type { Caller } from '../database/caller.js';
import { inOneTransaction } from '../database/inside-transaction.js';
import { withLoadBudget } from '../database/load-budget.js';
import type { Database } from '../database/open-database.js';
import { errors, GatewayError } from '../errors.js';
import { AnswerMeter, mostErrors } from '../limits/answer-meter.js';
import { jsonSize } from '../limits/json-size.js';
import { mayBeLarge } from '../limits/large-answer.js';
import type { Operation } from '../operation/admission.js';
import type { Engine } from './engine.js';

/**
 * Wraps an engine so that it refuses answers larger than the limit: it counts the rows that resolvers load and the
 * values they produce, then measures the result before turning it into text. A mutation whose answer may be too large
 * runs in one transaction with a savepoint for each field, so that refusing the answer undoes the changes. A query with
 * too many errors is refused as well; a mutation is not, because it has already happened.
 *
 * `most` is the limit in bytes for requests without their own. @throws `answer_too_large`, `query_too_complex`
 */
export function limitAnswer(schema: GraphQLSchema, resolve: Engine, most: number): Engine {
  return async (operation, context) => {
    const { database, answerLimit: limit = most } = context;
    const attempt = (inner: Database) => withLoadBudget(most, () => limited(operation, context, inner, limit));
    try {
      return await (operation.kind === 'mutation' && isLarge(operation, limit)
        ? inOneTransaction(database, attempt)
        : attempt(database));
    } catch (error) {
      throw isRefusal(error) ? errors.answerTooLarge(limit) : error;
    }
  };

  async function limited(operation: Operation, context: RequestContext, database: Database, limit: number) {
    const isQuery = operation.kind === 'query';
    const counted = new AnswerMeter(limit, !isQuery);
    const { deadline } = context;
    const whenOver: Caller['whenOver'] = (stop) => deadline?.whenOver(stop) ?? (() => undefined);
    const signal = deadline ? AbortSignal.any([counted.signal, deadline.signal]) : counted.signal;
    const result = await resolve(operation, { ...context, database, meter: counted, deadline: { signal, whenOver } });
    if (counted.refusal) throw counted.refusal;
    if (isQuery && (result.errors?.length ?? 0) > mostErrors) throw errors.tooManyErrors(mostErrors);
    if (isTooLarge(result, limit)) throw errors.answerTooLarge(limit);
    return result;
  }

  function isLarge({ document, definition }: Operation, limit: number): boolean {
    return mayBeLarge(schema, document, definition, limit);
  }
}

/** Measures the values of the root fields, not the envelope around them. */
function isTooLarge({ data, errors: found }: ExecutionResult, limit: number): boolean {
  if (found?.some(({ originalError }) => isRefusal(originalError))) return true;
  let size = 0;
  for (const value of Object.values(data ?? {})) size += jsonSize(value, limit - size);
  return size > limit;
}

function isRefusal(error: unknown): boolean {
  if (error instanceof GatewayError) return error.details.reason === 'answer_too_large';
  return answerLimitIn(error) !== undefined;
}
