import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../change/context.js';
import { inAttempts } from '../../change/perform.js';
import { isObject } from '../../common/is-object.js';
import { answerLimitIn, withLoadBudget } from '../../database/answer-limit.js';
import { callers } from '../../database/direct-access.js';
import { FairQueue } from '../../database/queues.js';
import { AnswerMeter, mayBeLarge, mostErrors } from '../../graphql/limits/answer-meter.js';
import { jsonTextInTurns } from '../../graphql/limits/json-text.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { showError } from '../../graphql/shown-errors/show-error.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';

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
  resolve: Engine,
  most: number,
): (operation: Operation, context: RequestContext) => Promise<MeasuredResult> {
  const inTurn = createLongQueries();
  return async (operation, context) => {
    const { answerLimit: limit = most } = context;
    const answer = (attempt: RequestContext) => withLoadBudget(most, () => limited(operation, attempt, limit));
    try {
      return await (operation.kind === 'mutation' && mayBeLarge(operation, limit)
        ? inAttempts(context, answer)
        : inTurn(operation, context, () => answer(context)));
    } catch (error) {
      throw isTooLarge(error) ? errors.answerTooLarge(limit) : error;
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
      limit: context.database.limit,
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
    const isRefused = result.errors?.some(({ originalError }) => isTooLarge(originalError));
    const text = isRefused ? undefined : await jsonTextInTurns(result.data ?? null, limit + frameOf(result));
    if (text === undefined) throw errors.answerTooLarge(limit);
    return { result, text };
  }
}

/** Bytes of the names and punctuation around the values of the operation's fields, which do not count. */
function frameOf({ data }: ExecutionResult): number {
  return Object.keys(data ?? {}).reduce((bytes, key) => bytes + `,"${key}":`.length, '{}'.length - 1);
}

export function isTooLarge(error: unknown): boolean {
  if (error instanceof GatewayError) return error.details.reason === 'answer_too_large';
  return answerLimitIn(error) !== undefined;
}

// Queries whose answers can have many values are executed by the resolvers one after another. Each yields to the event
// loop now and then; if several ran at the same time, a short request would have to wait for a slice of each. The keys
// take turns, so that no key waits for all queries of another.

/** Values from which an answer has many; see docs/cost.md. */
export const manyValues = 20_000;

export const longQueries = {
  /** Milliseconds after which the next one begins anyway: the one before may be waiting for the database. */
  alone: 2_000,
  /** How many keys may wait for their turn, and for how many milliseconds. */
  waiting: 1_000,
  waitMillis: 10_000,
};

type Queued = { kind: Operation['kind']; cost: Pick<Operation['cost'], 'requested'> };
type Waiting = Pick<RequestContext, 'deadline'> & { identity: Pick<RequestContext['identity'], 'keyId'> };

/** Makes the queue. A query runs in its turn if it is long, and at once if not. @throws `busy`, `timeout` */
export function createLongQueries() {
  const { alone, waiting, waitMillis } = longQueries;
  const queue = new FairQueue(
    { atOnce: 1, perCaller: 1, waiting, waitMillis },
    { busy: () => errors.unavailable('busy', undefined, waited), over: () => errors.timeout() },
  );
  return async <Result>(
    operation: Queued,
    { deadline, identity }: Waiting,
    run: () => Promise<Result>,
  ): Promise<Result> => {
    const isLong = operation.kind === 'query' && operation.cost.requested >= manyValues;
    if (!isLong) return run();
    const end = await queue.turn(deadline, identity.keyId);
    const othersBegin = setTimeout(end, alone).unref();
    try {
      return await run();
    } finally {
      clearTimeout(othersBegin);
      end();
    }
  };
}

const waited = `The query can have ${manyValues} values or more, and too many such queries are waiting, or its key has waited ${longQueries.waitMillis / 1000} s for a turn`;

/** Executes an operation by its resolvers. Errors of fields are part of the result. @throws any other error */
type Engine = (operation: Operation, context: RequestContext) => Promise<ExecutionResult>;

/**
 * GraphQL Yoga runs the resolvers with its plugins. Admission has already parsed and validated the operation and
 * checked its variables, so Yoga's parser, validation and HTTP handling are not used: they apply other rules.
 */
export function createEngine(schema: GraphQLSchema, plugins: Plugin<RequestContext>[]): Engine {
  const makeYoga = () =>
    createYoga<RequestContext>({
      schema,
      plugins,
      graphiql: false,
      landingPage: false,
      logging: false,
      maskedErrors: false, // a plugin of the schema formats errors
      parserAndValidationCache: false,
    });
  // Made for the first operation that needs it: it loads Node's `fetch`, which the start need not wait for.
  let yoga: ReturnType<typeof makeYoga> | undefined;

  return async ({ document, definition, variables, problems }, context) => {
    yoga ??= makeYoga();
    const { execute, contextFactory } = yoga.getEnveloped({ ...context, problems });
    const contextValue = await contextFactory();
    const operationName = definition.name?.value;
    const perform = () => execute({ schema, document, operationName, variableValues: variables, contextValue });
    // Prisma does not pass the request on to its adapter, so the reads of the resolvers find it in AsyncLocalStorage.
    return context.deadline ? callers.run(context.deadline, perform) : perform();
  };
}

/** Stops an operation whose request has been answered with `timeout`. */
const stopInTime: Plugin<RequestContext> = {
  onExecute({ args }) {
    const { deadline } = args.contextValue;
    if (deadline) Object.assign(args, { signal: deadline.signal }); // Yoga's executor checks it before each selection
  },
};

/** Formats errors of the catalogue; logs and masks all others. */
const showErrors: Plugin<RequestContext> = {
  onExecute({ args }) {
    return {
      onExecuteDone({ result, setResult }) {
        if (!isResult(result) || !result.errors) return;
        // Fields that are left out have one error in common.
        const errors = [...new Set(result.errors)].map((error) => showError(error, args.contextValue));
        setResult({ ...result, errors });
      },
    };
  },
};

export const plugins: Plugin<RequestContext>[] = [stopInTime, showErrors];

/**
 * Whether a plugin's effect also holds for compiled operations, which it never sees. Their time limit is kept by the
 * request's database, and the executor formats their errors.
 */
export const coversCompiled = (plugin: Plugin<RequestContext>): boolean => plugins.includes(plugin);

function isResult(result: unknown): result is ExecutionResult {
  return isObject(result) && !(Symbol.asyncIterator in result);
}
