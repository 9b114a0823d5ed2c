import type { RestOperation } from './operations.js';

/** The endpoints that no record type has, by the names of their operations. */
export const changesName = 'Changes';
export const eventsName = 'Events';

/** The names of all endpoints, as in the header `X-GraphQL-Operation`. */
export const operationNames = (operations: readonly Pick<RestOperation, 'name'>[]): string[] => [
  ...operations.map(({ name }) => name),
  changesName,
  eventsName,
];

/** Where the GraphQL document of an endpoint is served by itself. */
export const documentPath = (name: string): string => `/operations/${name}.graphql`;
