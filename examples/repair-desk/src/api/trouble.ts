import type { CombinedError } from '@urql/core';

/** What went wrong, as the form shows it. */
export interface Trouble {
  message: string;
  /** Somebody has saved since the version the form was read at. */
  conflict: boolean;
  /** What is wrong with a field, by its place: `asset`, `consumedItems[2].itemCode`. */
  byPlace: Map<string, string>;
}

export function troubleOf(error: CombinedError): Trouble {
  const { networkError, graphQLErrors } = error;
  const byPlace = new Map(
    graphQLErrors
      .flatMap(({ extensions }) => problemsIn(extensions.errors))
      .map(({ param, message }) => [param.replace(/^input\./, ''), message]),
  );
  return {
    message: networkError ? 'The gateway cannot be reached.' : graphQLErrors.map(({ message }) => message).join(' '),
    conflict: graphQLErrors.some(({ extensions }) => extensions.code === 'VERSION_CONFLICT'),
    byPlace,
  };
}

function problemsIn(errors: unknown): { param: string; message: string }[] {
  return Array.isArray(errors) ? errors.filter(isProblem) : [];
}

function isProblem(error: unknown): error is { param: string; message: string } {
  return (
    typeof error === 'object' &&
    error !== null &&
    'param' in error &&
    typeof error.param === 'string' &&
    'message' in error &&
    typeof error.message === 'string'
  );
}
