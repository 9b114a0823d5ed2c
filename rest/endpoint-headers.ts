/** Headers of an answer that show how its request was understood. */

import type { RestOperation } from './operations.js';
import { explainParameter } from './request/event-parameters.js';
import type { RestRequest } from './response.js';

export const operationHeader = 'X-GraphQL-Operation';
export const ignoredHeader = 'X-Ignored-Parameters';

/** The most characters of `X-Ignored-Parameters`; names that do not fit are left out, and `...` says so. */
export const mostIgnored = 500;

/** Adds the headers: alternating names and values. A path without an endpoint has none. */
export function addEndpointHeaders(headers: string[], { route, query }: Pick<RestRequest, 'route' | 'query'>): void {
  if (!route || 'allow' in route) return;
  addParameterHeaders(headers, route.operation, query);
}

/** The same for an endpoint that no route finds, such as `/api/events`. */
export function addParameterHeaders(
  headers: string[],
  { name, parameters }: Pick<RestOperation, 'name' | 'parameters'>,
  query: URLSearchParams,
): void {
  headers.push(operationHeader, name);
  if (query.size === 0) return;
  const isKnown = (given: string) =>
    given === explainParameter || parameters.some((parameter) => parameter.in === 'query' && parameter.name === given);
  const ignored = [...new Set(query.keys())].filter((given) => !isKnown(given));
  if (ignored.length > 0) headers.push(ignoredHeader, listed(ignored));
}

/** The names, percent-encoded, because a header must hold no line breaks, and a comma separates names. */
function listed(names: readonly string[]): string {
  let text = '';
  for (const name of names) {
    // Encoding only lengthens a name, so one that is too long need not be encoded.
    const encoded = name.length > mostIgnored ? '' : encodeURIComponent(name);
    const longer = text === '' ? encoded : `${text}, ${encoded}`;
    if (name.length > mostIgnored || longer.length > mostIgnored) return text === '' ? '...' : `${text}, ...`;
    text = longer;
  }
  return text;
}
