/**
 * Puts together the execution of operations: the executor, and the explanation of how an operation would be executed.
 */
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../change/context.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { showError } from '../../graphql/shown-errors/show-error.js';
import { createCompiledOperations } from '../../query/compiled/reads.js';
import { createExecutor, type Execute } from './executor.js';
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

/** Plugins around the resolvers, for `/graphql` and REST alike. */

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
const coversCompiled = (plugin: Plugin<RequestContext>): boolean => plugins.includes(plugin);

function isResult(result: unknown): result is ExecutionResult {
  return typeof result === 'object' && result !== null && !(Symbol.asyncIterator in result);
}
