import type { GraphQLParams } from 'graphql-yoga';
import { errors } from '../errors.js';

/** The operation a parsed body or a query string asks for. Throws `operation_missing`; Yoga checks the rest of its shape. */
export function operationOf(given: unknown): GraphQLParams {
  const query = typeof given === 'object' && given !== null && 'query' in given ? given.query : undefined;
  if (query === undefined || query === null || query === '') throw errors.badRequest('operation_missing');
  // Unchecked still: Yoga checks the shape of whatever its parsers return.
  return given as GraphQLParams;
}

/** The parameters of GraphQL over HTTP in a query string. Throws `json_invalid`. */
export function paramsOf(search: URLSearchParams): unknown {
  return {
    query: search.get('query') ?? undefined,
    operationName: search.get('operationName') || undefined,
    variables: json(search.get('variables')),
    extensions: json(search.get('extensions')),
  };
}

function json(text: string | null): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw errors.badRequest('json_invalid', 'The parameters `variables` and `extensions` must hold valid JSON.');
  }
}

/** Whether it can name an operation. Yoga says what is wrong with another. */
export const isName = (value: unknown): value is string | null | undefined =>
  value == null || typeof value === 'string';

/** Whether it can be an operation's variables. */
export const isVariables = (value: unknown): value is Record<string, unknown> | null | undefined =>
  value == null || (typeof value === 'object' && !Array.isArray(value));
