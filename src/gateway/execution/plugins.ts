/** Plugins around the resolvers, for `/graphql` and REST alike. */
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../change/context.js';
import { showError } from '../../graphql/shown-errors/show-error.js';

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
  return typeof result === 'object' && result !== null && !(Symbol.asyncIterator in result);
}
