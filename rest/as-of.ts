/** `?as_of=…`: which requests may ask for the past, and the GraphQL document that tells it. */
import type { DocumentNode } from 'graphql';
import type { RestOperation } from './operations.js';
import { asOf } from './parameters.js';
import { type RestProblem, restProblem } from './problem.js';

/** `as_of` where it is not known: to ignore it would be to show the present as the past. */
export const misplacedInstant = ({ method, parameters }: RestOperation, query: URLSearchParams): RestProblem[] =>
  method === 'GET' && query.has(asOf.name) && !parameters.includes(asOf)
    ? [restProblem(asOf.name, 'parameter_unknown', 'is known for single records only, which hold their lines then')]
    : [];

/** The document of a request that asks for the past; undefined for any other. */
export const pastDocumentFor = (
  endpoint: RestOperation,
  variables: Readonly<Record<string, unknown>>,
): DocumentNode | undefined => (variables.asOf === undefined ? undefined : endpoint.pastDocument);
