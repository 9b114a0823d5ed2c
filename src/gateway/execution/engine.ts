import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../change/context.js';
import { callers } from '../../database/direct-access.js';
import type { Operation } from '../../graphql/operation/admission.js';

/** Executes an operation by its resolvers. Errors of fields are part of the result. @throws any other error */
export type Engine = (operation: Operation, context: RequestContext) => Promise<ExecutionResult>;

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
