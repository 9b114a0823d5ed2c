import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLErrorExtensions,
  type GraphQLSchema,
} from 'graphql';
import { createYoga, type GraphQLParams, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { RequestContext } from '../context.js';
import { type ErrorCode, GatewayError } from '../errors.js';
import type { CostReport } from '../limits/complexity.js';
import { showError } from '../schema/show-error.js';

/** What GraphQL over HTTP is given: the context, and the operation that has been read and parsed already. */
export interface GraphqlRequest extends RequestContext {
  operation: GraphQLParams;
  /** Undefined where the text is no GraphQL. */
  document?: DocumentNode | undefined;
  /** Told in the answer, where it is there. */
  cost?: CostReport | undefined;
}

export type Yoga = YogaServerInstance<GraphqlRequest, object>;

/** The GraphQL server, for HTTP and for execution in the process, with everything off that is not served here. */
export function createGraphql(schema: GraphQLSchema, plugins: Plugin<RequestContext>[]): Yoga {
  return createYoga<GraphqlRequest>({
    schema,
    plugins: [takeOperation, ...plugins, tellCost, finishErrors],
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
const takeOperation: Plugin<GraphqlRequest, GraphqlRequest> = {
  onRequestParse({ serverContext, setRequestParser }) {
    setRequestParser(() => serverContext.operation);
  },
  onParse({ context, setParsedDocument }) {
    if (context.document) setParsedDocument(context.document);
  },
};

/** Adds `extensions.cost` to whatever the answer is. */
const tellCost: Plugin<GraphqlRequest, GraphqlRequest> = {
  onResultProcess({ result, setResult, serverContext: { cost } }) {
    if (cost && isResult(result)) setResult({ ...result, extensions: { ...result.extensions, cost } });
  },
};

/**
 * Masks and logs what was thrown outside of execution, gives errors the request id, and sets the HTTP status: a result
 * with data is 200 whatever its fields' errors are; one without is 500 where the fault is ours, else what GraphQL over
 * HTTP says (6.4): 400, or 200 for a client that asks for plain `application/json`.
 */
const finishErrors: Plugin<GraphqlRequest, GraphqlRequest> = {
  onResultProcess({ result, setResult, serverContext }) {
    if (!isResult(result) || !result.errors) return;
    const errors = result.errors
      .map((error) => (error.originalError instanceof GatewayError ? error : showError(error, serverContext)))
      .map((error) => {
        const http = 'data' in result ? {} : { http: error.extensions.http ?? httpOf(error) };
        return withExtensions(error, { requestId: serverContext.requestId, ...http });
      });
    setResult({ ...result, errors });
  },
};

/** The same error with more extensions: errors of validation are kept, and shown to others too. */
function withExtensions(error: GraphQLError, more: GraphQLErrorExtensions): GraphQLError {
  const { message, nodes, source, positions, path, originalError, extensions } = error;
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    path,
    originalError,
    extensions: { ...extensions, ...more },
  });
}

function httpOf({ extensions: { code } }: GraphQLError): { status: number; spec?: true } {
  const status = statusOfFault.get(code);
  return status ? { status } : { status: 400, spec: true };
}

const statusOfFault = new Map<unknown, number>([
  ['INTERNAL_SERVER_ERROR', 500],
  ['TIMEOUT', 504],
] satisfies [ErrorCode, number][]);

function isResult(result: unknown): result is ExecutionResult {
  return typeof result === 'object' && result !== null && !(Symbol.asyncIterator in result) && !Array.isArray(result);
}
