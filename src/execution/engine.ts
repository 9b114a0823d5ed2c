import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { RequestContext } from '../context.js';
import { callers } from '../database/caller.js';
import type { Operation } from '../operation/admission.js';

/** Performs an operation by its resolvers. @throws only what is no error of a field */
export type Engine = (operation: Operation, context: RequestContext) => Promise<ExecutionResult>;

/**
 * GraphQL Yoga, whose plugins and executor run the resolvers. Admission has parsed and validated the operation and checked
 * its variables; Yoga's own parser, validation and HTTP side would do that again by other rules, so they are not used.
 */
export function createEngine(schema: GraphQLSchema, plugins: Plugin<RequestContext>[]): Engine {
  const yoga = createYoga<RequestContext>({
    schema,
    plugins,
    graphiql: false,
    landingPage: false,
    logging: false,
    maskedErrors: false, // the plugins show errors as the catalogue has them
    parserAndValidationCache: false,
  });

  return async ({ document, definition, variables }, context) => {
    const { execute, contextFactory } = yoga.getEnveloped({ ...context });
    const contextValue = await contextFactory();
    const operationName = definition.name?.value;
    const perform = () => execute({ schema, document, operationName, variableValues: variables, contextValue });
    // What the resolvers read is read on behalf of their request, which Prisma does not pass on.
    return context.deadline ? callers.run(context.deadline, perform) : perform();
  };
}
