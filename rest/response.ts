/** The response to a successful REST operation: status, headers, and a body built from the operation's `data`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../src/change/context.js';
import { isObject } from '../src/common/is-object.js';
import type { OperationResult } from '../src/gateway/execution/executor.js';
import type { MeasuredResult } from '../src/gateway/execution/resolvers.js';
import { matchesEtag } from '../src/gateway/http/answer/send.js';
import { errors } from '../src/model/errors/errors.js';
import { etagOf } from '../src/model/ids.js';
import { singletonId } from '../src/model/resource.js';
import type { Variables } from '../src/model/selection.js';
import type { RestEndpoint } from './endpoints.js';

/** A complete REST response. */
export interface RestResponse {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
  /** Whether the body is `Bytes`, with one character for each byte. */
  isBytes?: boolean;
}

/** Where clients find a path of the gateway: they may reach it below a path of a proxy, which only PUBLIC_URL says. */
export const publicAddress = ({ publicUrl = '' }: Pick<RequestContext, 'publicUrl'>, path: string): string =>
  publicUrl + path;

/** Builds the response. @throws the outcome's first error, and NOT_FOUND for a missing record */
export function successResponse(
  endpoint: RestEndpoint,
  outcome: OperationResult,
  variables: Variables,
  requestHeaders: IncomingHttpHeaders,
  context: Pick<RequestContext, 'publicUrl'>,
): RestResponse {
  const isBytes = !('result' in outcome);
  const found = isBytes ? textBody(fieldIn(outcome)) : bodyOf(endpoint, outcome);
  const { method, status, resource } = endpoint;
  if (found === null) {
    if (!resource) throw new Error(`${endpoint.name} has no answer`);
    throw errors.notFound(resource.title, String(variables.id ?? singletonId(resource)));
  }
  const { version, body } = found;
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (version !== undefined) {
    headers.ETag = etagOf(version);
    if (method === 'GET' && matchesEtag(headers.ETag, requestHeaders['if-none-match']))
      return { status: 304, headers, body: undefined };
  }
  if (status === 201) headers.Location = publicAddress(context, `${resource?.base}/${idIn(body)}`);
  return { status, headers, body, isBytes };
}

/** The JSON text of the operation's only field. */
function fieldIn(outcome: Exclude<OperationResult, { result: unknown }>): string {
  const [field] = 'fields' in outcome ? outcome.fields : [];
  if (!field) throw new Error('A REST operation has one field');
  if ('error' in field) throw field.error.originalError ?? field.error;
  return field.text;
}

/** The body from the result of the resolvers. */
function bodyOf(
  endpoint: RestEndpoint,
  { result: { data, errors: [fault] = [] }, text }: MeasuredResult,
): TextBody | null {
  if (fault) throw fault.originalError ?? fault;
  const [[name, value] = []] = Object.entries(data ?? {});
  if (!endpoint.bodyOf || !isObject(value)) return textBody(text.slice(`{"${name}":`.length, -1));
  return { body: JSON.stringify(endpoint.bodyOf(value)), version: undefined };
}

/**
 * The REST body from the JSON text of an operation's only field. The aliases in `endpoints.ts` fix how the text
 * begins and ends, so it need not be parsed; only lines are, to count them.
 */
interface TextBody {
  body: string;
  /** Only a single record has one. */
  version: number | undefined;
}

/** The body; null if the record does not exist. */
function textBody(field: string): TextBody | null {
  if (field === 'null') return null;
  for (const start of payloadStarts) if (field.startsWith(start)) return textBody(field.slice(start.length, -1));
  if (field.startsWith(versionStart)) {
    const end = field.indexOf(',');
    return { body: `{${field.slice(end + 1)}`, version: Number(field.slice(versionStart.length, end)) };
  }
  if (field.startsWith('[')) {
    const lines: unknown[] = JSON.parse(field);
    return { body: `{"data":${field},"has_more":false,"total":${lines.length}}`, version: undefined };
  }
  // The page's envelope follows its records, so its last occurrence is the right one.
  const frame = field.lastIndexOf(moreStart);
  if (frame < 0) return { body: field, version: undefined };
  const [hasMore, total] = field.slice(frame + moreStart.length).split('}');
  return { body: `${field.slice(0, frame)},"has_more":${hasMore}${total}}`, version: undefined };
}

/** The record's id in the body. */
const idIn = (body: string): string => /^\{"id":"([^"]*)"/.exec(body)?.[1] ?? '';

/** A mutation answers its record or its lines inside of a payload. */
const payloadStarts = ['{"record":', '{"records":'];
const versionStart = '{"_version":';
const moreStart = ',"pageInfo":{"has_more":';
