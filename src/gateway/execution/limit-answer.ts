import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { inAttempts } from '../../change/attempts.js';
import type { RequestContext } from '../../change/context.js';
import { answerLimitIn } from '../../database/answer-limit.js';
import { withLoadBudget } from '../../database/load-budget.js';
import { AnswerMeter, mostErrors } from '../../graphql/limits/answer-meter.js';
import { jsonTextInTurns } from '../../graphql/limits/json-text.js';
import { mayBeLarge } from '../../graphql/limits/large-answer.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { Engine } from './engine.js';
import { createLongQueries } from './long-queries.js';

/** A result whose `data` is not too large, and the JSON text of that. */
export interface MeasuredResult {
  result: ExecutionResult;
  text: string;
}

/**
 * Wraps an engine so that it refuses answers larger than the limit: it counts the rows that resolvers load and the
 * values they produce, and then the bytes of their text while it is written. A mutation whose answer may be too large
 * runs in one transaction with a savepoint for each field, so that refusing the answer undoes the changes. A query with
 * too many errors is refused as well; a mutation is not, because it has already happened.
 *
 * `most` is the limit in bytes for requests without their own. @throws `answer_too_large`, `query_too_complex`
 */
export function limitAnswer(
  schema: GraphQLSchema,
  resolve: Engine,
  most: number,
): (operation: Operation, context: RequestContext) => Promise<MeasuredResult> {
  const inTurn = createLongQueries();
  return async (operation, context) => {
    const { answerLimit: limit = most } = context;
    const answer = (attempt: RequestContext) => withLoadBudget(most, () => limited(operation, attempt, limit));
    try {
      return await (operation.kind === 'mutation' && isLarge(operation, limit)
        ? inAttempts(context, answer)
        : inTurn(operation, context, () => answer(context)));
    } catch (error) {
      throw isRefusal(error) ? errors.answerTooLarge(limit) : error;
    }
  };

  async function limited(operation: Operation, context: RequestContext, limit: number) {
    const isQuery = operation.kind === 'query';
    const counted = new AnswerMeter(limit, !isQuery);
    const { deadline } = context;
    if (deadline) counted.endWith(deadline.signal);
    const { signal } = counted;
    const caller: RequestContext['deadline'] = {
      keyId: context.identity.keyId,
      signal,
      get isOver() {
        return deadline?.isOver ?? false;
      },
      statements: deadline?.statements,
      whenOver: (stop) => deadline?.whenOver(stop) ?? (() => undefined),
    };
    const result = await resolve(operation, {
      ...context,
      meter: counted,
      deadline: caller,
    });
    if (counted.refusal) throw counted.refusal;
    if (isQuery && (result.errors?.length ?? 0) > mostErrors) throw errors.tooManyErrors(mostErrors);
    const isRefused = result.errors?.some(({ originalError }) => isRefusal(originalError));
    const text = isRefused ? undefined : await jsonTextInTurns(result.data ?? null, limit + frameOf(result));
    if (text === undefined) throw errors.answerTooLarge(limit);
    return { result, text };
  }

  function isLarge({ document, definition }: Operation, limit: number): boolean {
    return mayBeLarge(schema, document, definition, limit);
  }
}

/** Bytes of the names and punctuation around the values of the operation's fields, which do not count. */
function frameOf({ data }: ExecutionResult): number {
  return Object.keys(data ?? {}).reduce((bytes, key) => bytes + `,"${key}":`.length, '{}'.length - 1);
}

function isRefusal(error: unknown): boolean {
  if (error instanceof GatewayError) return error.details.reason === 'answer_too_large';
  return answerLimitIn(error) !== undefined;
}
