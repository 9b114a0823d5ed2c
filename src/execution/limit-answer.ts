import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../context.js';
import { answerLimitIn } from '../database/answer-limit.js';
import type { Caller } from '../database/caller.js';
import { loadedWithin } from '../database/loaded.js';
import type { Database } from '../database/open.js';
import { within } from '../database/within.js';
import { errors, GatewayError } from '../errors.js';
import { AnswerMeter } from '../limits/answer-meter.js';
import { jsonSize } from '../limits/json-size.js';
import { mayBeLarge } from '../limits/large-answer.js';
import type { Operation } from '../operation/admission.js';
import type { Engine } from './engine.js';

/**
 * The same engine, which refuses an operation whose answer would pass its limit: what resolvers load is counted, and the
 * values they put together; then the result is measured, before it is made a text. Where a change may have such an answer,
 * all of the operation is one transaction, each field a part of it that is undone by itself where it fails.
 *
 * `most` is the limit of a request that has none of its own, in bytes. @throws `answer_too_large`
 */
export function limitAnswer(schema: GraphQLSchema, resolve: Engine, most: number): Engine {
  return async (operation, context) => {
    const { database, answerLimit: limit = most } = context;
    const work = () =>
      operation.kind === 'mutation' && isLarge(operation, limit)
        ? database.transaction((tx) => limited(operation, context, within(database, tx), limit))
        : limited(operation, context, database, limit);
    try {
      return await loadedWithin(most, work);
    } catch (error) {
      throw isRefusal(error) ? errors.answerTooLarge(limit) : error;
    }
  };

  async function limited(operation: Operation, context: RequestContext, database: Database, limit: number) {
    const meter = new AnswerMeter(limit);
    const { deadline } = context;
    const whenOver: Caller['whenOver'] = (stop) => deadline?.whenOver(stop) ?? (() => undefined);
    const signal = deadline ? AbortSignal.any([meter.signal, deadline.signal]) : meter.signal;
    const result = await resolve(operation, { ...context, database, meter, deadline: { signal, whenOver } });
    if (isTooLarge(result, limit)) throw errors.answerTooLarge(limit);
    return result;
  }

  function isLarge({ document, definition }: Operation, limit: number): boolean {
    return mayBeLarge(schema, document, definition, limit);
  }
}

/** The values of the fields at the top count; what stands around them does not. */
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
