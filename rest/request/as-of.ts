/** `?as_of=…`: which requests may ask for a record as it was, and the GraphQL document that reads it. */
import type { DocumentNode } from 'graphql';
import { type RestProblem, restProblem } from '../errors.js';
import type { RestOperation } from '../operations.js';
import { asOf } from './parameters.js';

/** Refuses `as_of` at endpoints without it: ignoring it would show the present as the past. */
export const misplacedInstant = ({ method, parameters }: RestOperation, query: URLSearchParams): RestProblem[] =>
  method === 'GET' && query.has(asOf.name) && !parameters.includes(asOf)
    ? [
        restProblem(
          asOf.name,
          'parameter_unknown',
          'works for single records only; their answers then hold their lines',
        ),
      ]
    : [];

/** The document of a request with `as_of`; undefined for any other. */
export const pastDocumentFor = (
  endpoint: RestOperation,
  variables: Readonly<Record<string, unknown>>,
): DocumentNode | undefined => (variables.asOf === undefined ? undefined : endpoint.pastDocument);
