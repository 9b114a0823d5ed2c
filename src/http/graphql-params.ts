import type { GraphQLParams } from 'graphql-yoga';
import { errors } from '../errors.js';

/** Brackets that may stand open at a time. Beyond a few thousand, GraphQL's parser runs out of stack. */
const DEPTH_LIMIT = 200;

/**
 * The operation a parsed body or a query string asks for. Throws `operation_missing`, and `query_too_complex` for what
 * would harm the parser; the rest of its shape is checked later, by Yoga.
 */
export function operationOf(given: unknown): GraphQLParams {
  const query = typeof given === 'object' && given !== null && 'query' in given ? given.query : undefined;
  if (query === undefined || query === null || query === '') throw errors.badRequest('operation_missing');
  if (typeof query === 'string' && bracketDepth(query) > DEPTH_LIMIT) {
    throw errors.queryTooComplex(`The operation is nested deeper than ${DEPTH_LIMIT} brackets.`);
  }
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

/** The most brackets open at a time, those in strings and comments left out. Takes time in proportion to the text. */
function bracketDepth(query: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < query.length; index++) {
    switch (query.charAt(index)) {
      case '{':
      case '[':
      case '(':
        deepest = Math.max(deepest, ++depth);
        break;
      case '}':
      case ']':
      case ')':
        depth--;
        break;
      case '#':
        index = lineEnd(query, index);
        break;
      case '"':
        index = query.startsWith('"""', index) ? blockStringEnd(query, index + 3) : stringEnd(query, index + 1);
        break;
    }
  }
  return deepest;
}

/** Where the line ends; the end of the text where none follows, as for all three. */
function lineEnd(text: string, start: number): number {
  let index = start;
  while (index < text.length && text[index] !== '\n' && text[index] !== '\r') index++;
  return index;
}

function stringEnd(text: string, start: number): number {
  let index = start;
  while (index < text.length && text[index] !== '"' && text[index] !== '\n' && text[index] !== '\r') {
    index += text[index] === '\\' ? 2 : 1;
  }
  return index;
}

function blockStringEnd(text: string, start: number): number {
  let index = text.indexOf('"""', start);
  while (index > start && text[index - 1] === '\\') index = text.indexOf('"""', index + 3);
  return index < 0 ? text.length : index + 2;
}
