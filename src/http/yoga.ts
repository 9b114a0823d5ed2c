import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { createYoga, type GraphQLParams, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { RequestContext } from '../context.js';
import { GatewayError } from '../errors.js';
import { showError } from '../schema/show-error.js';

/** What GraphQL over HTTP is given: the context, and the operation that has been read and parsed already. */
export interface GraphqlRequest extends RequestContext {
  operation: GraphQLParams;
}

export type Yoga = YogaServerInstance<GraphqlRequest, object>;

/** The GraphQL server, for HTTP and for execution in the process, with everything off that is not served here. */
export function createGraphql(schema: GraphQLSchema, plugins: Plugin<RequestContext>[]): Yoga {
  return createYoga<GraphqlRequest>({
    schema,
    plugins: [takeOperation, ...plugins, finishErrors],
    batching: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: false, // see finishErrors
    maxRequestBodySize: false, // see readBody
    multipart: false,
    parserAndValidationCache: { errorCache: forgetful },
  });
}

/** Yoga throws a syntax error it remembers past the place that gives such errors their code. */
const forgetful = { get: () => undefined, set: () => undefined };

/** Takes the operation that was parsed at the edge; Yoga's own parsers echo what they cannot parse. */
const takeOperation: Plugin<object, GraphqlRequest> = {
  onRequestParse({ serverContext, setRequestParser }) {
    setRequestParser(() => serverContext.operation);
  },
};

/**
 * Masks and logs what was thrown outside of execution, and sets the HTTP status: a result with data is 200 whatever its
 * fields' errors are; one without is 500 where the fault is ours, else what GraphQL over HTTP says (6.4): 400, or 200
 * for a client that asks for plain `application/json`.
 */
const finishErrors: Plugin<GraphqlRequest, GraphqlRequest> = {
  onResultProcess({ result, setResult, serverContext }) {
    if (!isResult(result) || !result.errors) return;
    const errors = result.errors.map((error) =>
      error.originalError instanceof GatewayError ? error : showError(error, serverContext),
    );
    if (!('data' in result)) for (const error of errors) error.extensions.http ??= httpOf(error);
    setResult({ ...result, errors });
  },
};

function httpOf(error: GraphQLError): { status: number; spec?: true } {
  return error.extensions.code === 'INTERNAL_SERVER_ERROR' ? { status: 500 } : { status: 400, spec: true };
}

function isResult(result: unknown): result is ExecutionResult {
  return typeof result === 'object' && result !== null && 'errors' in result;
}
