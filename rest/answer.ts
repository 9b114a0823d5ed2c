/** The success response of a REST operation: status, headers, and a body made of the operation's `data`. */
import type { ExecutionResult } from 'graphql';
import type { Bytes } from '../src/bytes.js';
import { errors } from '../src/errors.js';
import type { RestOperation } from './operations.js';
import type { RestRequest, RestResponse } from './response.js';
import { idIn, textBody } from './text-body.js';
import type { Variables } from './variables.js';
import { etagOf, isKnown } from './version.js';

/** The answer made of an executed operation. @throws its first error, and NOT_FOUND for a record that is not there */
export function success(
  operation: RestOperation,
  result: ExecutionResult,
  variables: Variables['variables'],
  { headers: requestHeaders }: RestRequest,
): RestResponse {
  const fault = result.errors?.[0];
  if (fault) throw fault.originalError ?? fault;
  const found = bodyOf(result.data ?? {});
  if (found === null) throw errors.notFound(operation.resource.title, String(variables.id));
  const { _version: version, ...body } = found;
  const answer = answerOf(operation, typeof version === 'number' ? version : undefined, requestHeaders, () =>
    JSON.stringify(body),
  );
  if (operation.status === 201) answer.headers.Location = `${operation.resource.base}/${body.id}`;
  return answer;
}

/** The same for an answer that is text already, as `Bytes`. */
export function successText(
  operation: RestOperation,
  data: Bytes,
  variables: Variables['variables'],
  { headers: requestHeaders }: RestRequest,
): RestResponse {
  const found = textBody(data);
  if (found === null) throw errors.notFound(operation.resource.title, String(variables.id));
  const answer = { ...answerOf(operation, found.version, requestHeaders, () => found.body), isBytes: true };
  if (operation.status === 201) answer.headers.Location = `${operation.resource.base}/${idIn(found.body)}`;
  return answer;
}

function answerOf(
  { method, status }: RestOperation,
  version: number | undefined,
  requestHeaders: RestRequest['headers'],
  body: () => string,
): RestResponse {
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (version !== undefined) {
    headers.ETag = etagOf(version);
    if (method === 'GET' && isKnown(version, requestHeaders)) return { status: 304, headers, body: undefined };
  }
  return { status, headers, body: body() };
}

interface Data {
  record?: Record<string, unknown> | null;
  page?: { data: unknown[]; pageInfo: { has_more: boolean }; total: number };
  lines?: unknown[];
}

/** The aliases of `document.ts` make the record; a page and a list of lines only need their frame. */
function bodyOf({ record, page, lines }: Data): Record<string, unknown> | null {
  if (page) return { data: page.data, has_more: page.pageInfo.has_more, total: page.total };
  if (lines) return { data: lines, has_more: false, total: lines.length };
  return record ?? null;
}
