/** The parameters of a request to `/graphql`, with their types checked (GraphQL over HTTP, 5.1). */

import { isObject } from '../../common/is-object.js';
import { readJson } from '../../common/read-json.js';
import { errors } from '../../model/errors/errors.js';

export interface Parameters {
  /** The operation's text; undefined if only its hash is sent. */
  query: string | undefined;
  /** Undefined if absent, null or empty, which means the document's only operation. */
  operationName: string | undefined;
  variables: Readonly<Record<string, unknown>>;
  /** The key of a persisted operation: the SHA-256 of its text, or its name in the list of trusted documents. */
  hash: string | undefined;
}

/**
 * Reads the parameters from a parsed body or query string. Any further member is ignored (GraphQL over HTTP, 5.1): clients
 * send some for their own use, such as the `id` of Relay's network layers. @throws BAD_REQUEST
 */
export function parametersIn(given: unknown): Parameters {
  if (Array.isArray(given)) throw invalid('A batch of operations is not taken; send one operation in each request.');
  if (!isObject(given)) throw errors.badRequest('operation_missing');
  const { query, operationName, variables, extensions, documentId } = given;
  if (query != null && typeof query !== 'string') throw invalid('`query` must be a string.');
  if (operationName != null && typeof operationName !== 'string') throw invalid('`operationName` must be a string.');
  if (variables != null && !isObject(variables)) throw invalid('`variables` must be an object.');
  if (extensions != null && !isObject(extensions)) throw invalid('`extensions` must be an object.');
  if (documentId != null && typeof documentId !== 'string') throw invalid('`documentId` must be a string.');
  const hash = hashIn(extensions?.persistedQuery) ?? (query ? undefined : hashOfId(documentId));
  if (!query && hash === undefined) throw errors.badRequest('operation_missing');
  return { query: query || undefined, operationName: operationName || undefined, variables: variables ?? {}, hash };
}

/** The parameters in a query string. @throws BAD_REQUEST for a repeated parameter or invalid JSON */
export function searchParameters(search: URLSearchParams): unknown {
  for (const name of known) {
    if (search.getAll(name).length > 1) throw invalid(`\`${name}\` is given more than once.`);
  }
  return {
    query: search.get('query'),
    operationName: search.get('operationName'),
    variables: json(search, 'variables'),
    extensions: json(search, 'extensions'),
    documentId: search.get('documentId'),
  };
}

/** The hash in `extensions.persistedQuery` (Apollo's automatic persisted queries). */
function hashIn(persisted: unknown): string | undefined {
  if (persisted == null) return undefined;
  const form = '`extensions.persistedQuery` must be {"version": 1, "sha256Hash": "<SHA-256 of the operation>"}.';
  if (!isObject(persisted)) throw invalid(form);
  const { version, sha256Hash } = persisted;
  if (typeof sha256Hash !== 'string' || sha256Hash === '' || (version !== undefined && version !== 1))
    throw invalid(form);
  return sha256Hash.toLowerCase();
}

/** The hash or name in `documentId`, `sha256:<hash>` or a name (GraphQL over HTTP, persisted documents). */
const hashOfId = (id: string | null | undefined): string | undefined =>
  id?.toLowerCase().replace(/^sha256:/, '') || undefined;

function json(search: URLSearchParams, name: 'variables' | 'extensions'): unknown {
  const text = search.get(name);
  if (!text) return undefined;
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw errors.badRequest('json_invalid', `The parameter \`${name}\` is ${error.message}.`);
  }
}

const known: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions', 'documentId']);
const invalid = (message: string) => errors.badRequest('parameters_invalid', message);
