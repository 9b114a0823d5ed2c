import { isObject } from '../src/common/is-object.js';
import { parseJson } from '../src/gateway/http/parse-json.js';
import { requireJson } from '../src/gateway/http/read-body.js';
import { errors } from '../src/model/errors/errors.js';
import type { RestRequest } from './response.js';

/**
 * Parses the body as a JSON object; an empty body is `{}`, because each operation checks its own required parameters.
 * Error messages never quote the body. @throws content_type_unsupported, json_invalid
 */
export function readObject({
  body,
  headers,
  method,
}: Pick<RestRequest, 'body' | 'headers' | 'method'>): Readonly<Record<string, unknown>> {
  if (!body || body.length === 0) return {};
  requireJson({ headers, method });
  const value = parseJson(body);
  if (isObject(value)) return value;
  throw errors.badRequest('json_invalid', 'The body is JSON, but not an object; send {"name": value, …}.');
}
