/**
 * Puts together the execution of operations: the executor, and the explanation of how an operation would be executed.
 */
import type { GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../change/context.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { createCompiledOperations } from '../../query/compiled/compiled-operations.js';
import { createExecutor, type Execute } from './executor.js';
import { coversCompiled } from './plugins.js';
import { createWays, type WayOf } from './way.js';

export interface ExecutionParts {
  schema: GraphQLSchema;
  plugins: Plugin<RequestContext>[];
  provider: Provider;
  /**
   * Whether to compile plain reads and writes to SQL; if false, the resolvers answer everything with the same results.
   */
  compiled: boolean;
  /** The largest answer, in bytes. */
  answerLimit: number;
}

export function createExecution({ schema, plugins, provider, compiled, answerLimit }: ExecutionParts): {
  execute: Execute;
  wayOf: WayOf;
} {
  // A plugin that does not declare how it treats compiled operations may guard or change execution, so it has to see
  // all.
  const mayCompile = compiled && plugins.every(coversCompiled);
  const operations = mayCompile ? createCompiledOperations(schema, provider, answerLimit) : undefined;
  return { execute: createExecutor({ schema, plugins, operations, answerLimit }), wayOf: createWays(operations) };
}
