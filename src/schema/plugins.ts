/** What stands around the resolvers, for `/graphql` and for REST alike. */
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../context.js';
import { showError } from './show-error.js';

/** Ends the work on an operation whose request has been answered for lack of time. */
const stopInTime: Plugin<RequestContext> = {
  onExecute({ args }) {
    const { deadline } = args.contextValue;
    if (deadline) Object.assign(args, { signal: deadline.signal }); // Yoga's executor asks for it before each selection
  },
};

/** Shows errors as the catalogue has them; masks and logs what it does not have. */
const showErrors: Plugin<RequestContext> = {
  onExecute({ args }) {
    return {
      onExecuteDone({ result, setResult }) {
        if (!isResult(result) || !result.errors) return;
        setResult({ ...result, errors: result.errors.map((error) => showError(error, args.contextValue)) });
      },
    };
  },
};

export const plugins: Plugin<RequestContext>[] = [stopInTime, showErrors];

/**
 * Whether what a plugin does is done for compiled operations too, which it never sees. Their time is kept by the database
 * that a request is given, and their errors are shown by the executor.
 */
export const coversCompiled = (plugin: Plugin<RequestContext>): boolean => plugins.includes(plugin);

function isResult(result: unknown): result is ExecutionResult {
  return typeof result === 'object' && result !== null && !(Symbol.asyncIterator in result);
}
