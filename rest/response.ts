/** The response to a successful REST operation: status, headers, and a body built from the operation's `data`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../src/change/context.js';
import { isObject } from '../src/common/is-object.js';
import type { OperationResult } from '../src/gateway/execution/executor.js';
import type { MeasuredResult } from '../src/gateway/execution/resolvers.js';
import { matchesEtag } from '../src/gateway/http/answer/send.js';
import { errors } from '../src/model/errors/errors.js';
import { etagOf } from '../src/model/names.js';
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
  const found = 'result' in outcome ? bodyOf(endpoint, outcome) : textIn(outcome);
  const { method, status, resource } = endpoint;
  if (found === null) {
    if (!resource) throw new Error(`${endpoint.name} has no answer`);
    throw errors.notFound(resource.title, String(variables.id ?? singletonId(resource)));
  }
  const { version, id, text, isBytes } = found;
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (version !== undefined) {
    headers.ETag = etagOf(version);
    if (method === 'GET' && matchesEtag(headers.ETag, requestHeaders['if-none-match']))
      return { status: 304, headers, body: undefined };
  }
  if (status === 201) headers.Location = publicAddress(context, `${resource?.base}/${id()}`);
  return { status, headers, body: text(), isBytes };
}

/** The parts of a REST body. */
interface Found {
  /** Only a single record has one. */
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
  return foundIn(field.text, true);
}

function foundIn(field: string, isBytes: boolean): Found | null {
  const found = textBody(field);
  return found && { version: found.version, id: () => idIn(found.body) ?? '', text: () => found.body, isBytes };
}

/** The body from the result of the resolvers. */
function bodyOf(
  endpoint: RestEndpoint,
  { result: { data, errors: [fault] = [] }, text }: MeasuredResult,
): Found | null {
  if (fault) throw fault.originalError ?? fault;
  const [[name, value] = []] = Object.entries(data ?? {});
  if (!endpoint.bodyOf || !isObject(value)) return foundIn(text.slice(`{"${name}":`.length, -1), false);
  const body = endpoint.bodyOf(value);
  return { version: undefined, id: () => '', text: () => JSON.stringify(body), isBytes: false };
}

/**
 * Extracts the REST body from the JSON text of an operation's only field. The aliases in `endpoints.ts` fix how the text
 * begins and ends, so it need not be parsed; only lines are, to count them.
 */
interface TextBody {
  body: string;
  /** Only a single record has one. */
  version: number | undefined;
}

/** The body; null if the record does not exist. */
export function textBody(field: string): TextBody | null {
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
export const idIn = (body: string): string | undefined => /^\{"id":"([^"]*)"/.exec(body)?.[1];

/** A mutation answers its record or its lines inside of a payload. */
const payloadStarts = ['{"record":', '{"records":'];
const versionStart = '{"_version":';
const moreStart = ',"pageInfo":{"has_more":';
