/** The response to a successful REST operation: status, headers, and a body built from the operation's `data`. */
import type { ExecutionResult } from 'graphql';
import { errors } from '../src/errors.js';
import type { OperationResult } from '../src/execution/executor.js';
import { matchesEtag } from '../src/http/etag.js';
import type { RestOperation } from './operations.js';
import type { RestRequest, RestResponse } from './response.js';
import { idIn, textBody } from './text-body.js';
import type { TranslatedVariables } from './variables.js';
import { etagOf } from './version.js';

/** Builds the response. @throws the outcome's first error, and NOT_FOUND for a missing record */
export function successResponse(
  operation: RestOperation,
  outcome: OperationResult,
  variables: TranslatedVariables['variables'],
  { headers: requestHeaders }: RestRequest,
): RestResponse {
  const found = 'result' in outcome ? bodyOf(outcome.result) : textIn(outcome);
  if (found === null) throw errors.notFound(operation.resource.title, String(variables.id));
  const { version, id, text, isBytes } = found;
  const { method, status, resource } = operation;
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (version !== undefined) {
    headers.ETag = etagOf(version);
    // The past of a version is told differently once a credential has changed.
    const isPresent = variables.asOf === undefined;
    if (method === 'GET' && isPresent && matchesEtag(headers.ETag, requestHeaders['if-none-match']))
      return { status: 304, headers, body: undefined };
  }
  if (status === 201) headers.Location = `${resource.base}/${id()}`;
  return { status, headers, body: text(), isBytes };
}

/** The parts of a REST body. */
interface Found {
  /** Only of a single record. */
  version: number | undefined;
  id(): string;
  text(): string;
  isBytes: boolean;
}

/** The body from the JSON text of the operation's only field. */
function textIn(outcome: Exclude<OperationResult, { result: unknown }>): Found | null {
  const [field] = 'fields' in outcome ? outcome.fields : [];
  if (!field) throw new Error('A REST operation has one field');
  if ('error' in field) throw field.error.originalError ?? field.error;
  const found = textBody(field.text);
  return found && { version: found.version, id: () => idIn(found.body) ?? '', text: () => found.body, isBytes: true };
}

/** The body from the result of the resolvers. */
function bodyOf({ data, errors: [fault] = [] }: ExecutionResult): Found | null {
  if (fault) throw fault.originalError ?? fault;
  const record = recordIn(data ?? {});
  if (record === null) return null;
  const { _version: version, ...body } = record;
  return {
    version: typeof version === 'number' ? version : undefined,
    id: () => String(body.id),
    text: () => JSON.stringify(body),
    isBytes: false,
  };
}

interface Data {
  record?: Record<string, unknown> | null;
  page?: { data: unknown[]; pageInfo: { has_more: boolean }; total: number };
  lines?: unknown[];
  history?: { data: unknown[]; pageInfo: { has_more: boolean; next: string | null }; complete: boolean } | null;
}

/**
 * The aliases in `document.ts` already give records their REST form; pages and lists of lines only need their envelope.
 */
function recordIn({ record, page, lines, history }: Data): Record<string, unknown> | null {
  if (page) return { data: page.data, has_more: page.pageInfo.has_more, total: page.total };
  if (lines) return { data: lines, has_more: false, total: lines.length };
  if (history) return { data: history.data, ...history.pageInfo, complete: history.complete };
  return record ?? null;
}
