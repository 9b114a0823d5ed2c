/** The variants of a request to /api: each column is a part of it, with the forms that this part can have. */
import type { PreparedRestCall } from './calls.js';
import type { Row } from './covering-array.js';
import { operationNamed } from './operations/index.js';
import type { OutgoingRequest } from './outgoing-request.js';

export const restVariants = {
  transport: ['whole', 'in chunks', 'HEAD'],
  accept: ['nothing', 'anything', 'json', 'problem', 'events'],
  contentType: ['none', 'plain', 'charset', 'upper case'],
  idempotencyKey: ['absent', 'present'],
  scheme: ['Bearer', 'bearer', 'BEARER'],
  id: ['as it is', 'escaped'],
} as const;

type Forms = typeof restVariants;
export type RestVariant = { readonly [Column in keyof Forms]: Forms[Column][number] };

/** Why the values cannot be combined in one request; undefined if they can. */
export function restIncompatibility(row: Row): string | undefined {
  if (row.operation === undefined) return undefined;
  const call = operationNamed(row.operation).rest?.({ marker: '', id: '', lines: ['', ''] });
  if (!call) return 'REST has no endpoint for it';
  if (row.transport === 'HEAD' && call.method !== 'GET') return 'HEAD is only for reads';
  if (row.transport === 'in chunks' && !call.body) return 'it has no body';
  if (row.contentType === 'none' && call.body) return 'a body without a type is refused, which another guard tests';
  return undefined;
}

export function restRequestOf(
  call: PreparedRestCall,
  variant: RestVariant,
  token: string | undefined,
  unique: string,
): OutgoingRequest {
  const search = new URLSearchParams(call.query).toString();
  const path = variant.id === 'escaped' ? call.path.replace(/_([0-9a-z]{26})/, '%5F$1') : call.path;
  const body = call.text ?? (call.body && JSON.stringify(call.body));
  const headers = {
    ...(token === undefined ? {} : { authorization: `${variant.scheme} ${token}` }),
    ...accepts[variant.accept],
    ...(variant.idempotencyKey === 'present' ? { 'idempotency-key': unique } : {}),
    ...contentTypes[variant.contentType],
    ...call.headers,
  };
  const method = variant.transport === 'HEAD' ? 'HEAD' : call.method;
  return {
    method,
    path: search ? `${path}?${search}` : path,
    headers,
    body,
    inChunks: variant.transport === 'in chunks',
  };
}

const accepts: Record<RestVariant['accept'], { accept?: string }> = {
  nothing: {},
  anything: { accept: '*/*' },
  json: { accept: 'application/json' },
  problem: { accept: 'application/problem+json' },
  events: { accept: 'text/event-stream' },
};
const contentTypes: Record<RestVariant['contentType'], { 'content-type'?: string }> = {
  none: {},
  plain: { 'content-type': 'application/json' },
  charset: { 'content-type': 'application/json; charset=utf-8' },
  'upper case': { 'content-type': 'APPLICATION/JSON;CHARSET=UTF-8' },
};
