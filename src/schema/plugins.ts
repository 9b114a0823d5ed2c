/** What stands between a request and the executor, for `/graphql` and for REST alike. */
import type { ExecutionResult } from 'graphql';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import { nameValues } from './name-values.js';
import { showError } from './show-error.js';
import { variableProblems } from './variable-problems.js';

/** Refuses an operation whose variables do not fit, with all that is wrong with them, before anything is resolved. */
const checkVariables: Plugin<RequestContext> = {
  onExecute({ args, setResultAndStopExecution }) {
    const { schema, document, variableValues, operationName } = args;
    const problems = variableProblems(schema, document, variableValues ?? {}, operationName);
    if (problems.length === 0) return;
    const error = errors.badInput(problems);
    setResultAndStopExecution({
      errors: [showError(new GraphQLError(error.message, { originalError: error }), args.contextValue)],
    });
  },
};

/** Ends the work on an operation whose request has been answered for lack of time. */
const stopInTime: Plugin<RequestContext> = {
  onExecute({ args }) {
    const { deadline } = args.contextValue;
    if (deadline) Object.assign(args, { signal: deadline.signal }); // Yoga's executor asks for it before each selection
  },
};

/** Says of a value in a document that does not fit what it was for. */
const nameWrongValues: Plugin<RequestContext> = {
  onValidate({ params: { documentAST } }) {
    return ({ valid, result }) => {
      if (valid) return;
      nameValues(
        documentAST,
        result.filter((error) => error instanceof GraphQLError),
      );
    };
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

export const plugins: Plugin<RequestContext>[] = [nameWrongValues, checkVariables, stopInTime, showErrors];

function isResult(result: unknown): result is ExecutionResult {
  return typeof result === 'object' && result !== null && !(Symbol.asyncIterator in result);
}
