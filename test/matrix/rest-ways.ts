/** The ways in to /api: the forms that the same request can have. */
import type { RestAttempt } from './attempt.js';
import type { Row } from './covering.js';
import { deedNamed } from './deeds/index.js';
import type { Outgoing } from './request.js';

export const restWays = {
  transport: ['whole', 'in chunks', 'HEAD'],
  accept: ['nothing', 'anything', 'json', 'problem', 'events'],
  contentType: ['none', 'plain', 'charset', 'upper case'],
  idempotencyKey: ['absent', 'present'],
  scheme: ['Bearer', 'bearer', 'BEARER'],
  id: ['as it is', 'escaped'],
} as const;

type Ways = typeof restWays;
export type RestWay = { readonly [Column in keyof Ways]: Ways[Column][number] };

/** Why the values cannot be combined in one request; undefined if they can. */
export function restContradiction(row: Row): string | undefined {
  if (row.deed === undefined) return undefined;
  const call = deedNamed(row.deed).rest?.({ marker: '', id: '', lines: ['', ''] });
  if (!call) return 'REST has no endpoint for it';
  if (row.transport === 'HEAD' && call.method !== 'GET') return 'HEAD is for what may be read';
  if (row.transport === 'in chunks' && !call.body) return 'it has no body';
  if (row.contentType === 'none' && call.body) return 'a body without a type is refused, which is a guard of its own';
  return undefined;
}

export function restRequestOf(call: RestAttempt, way: RestWay, token: string | undefined, unique: string): Outgoing {
  const search = new URLSearchParams(call.query).toString();
  const path = way.id === 'escaped' ? call.path.replace(/_([0-9a-z]{26})/, '%5F$1') : call.path;
  const body = call.text ?? (call.body && JSON.stringify(call.body));
  const headers = {
    ...(token === undefined ? {} : { authorization: `${way.scheme} ${token}` }),
    ...accepts[way.accept],
    ...(way.idempotencyKey === 'present' ? { 'idempotency-key': unique } : {}),
    ...contentTypes[way.contentType],
    ...call.headers,
  };
  const method = way.transport === 'HEAD' ? 'HEAD' : call.method;
  return { method, path: search ? `${path}?${search}` : path, headers, body, inChunks: way.transport === 'in chunks' };
}

const accepts: Record<RestWay['accept'], { accept?: string }> = {
  nothing: {},
  anything: { accept: '*/*' },
  json: { accept: 'application/json' },
  problem: { accept: 'application/problem+json' },
  events: { accept: 'text/event-stream' },
};
const contentTypes: Record<RestWay['contentType'], { 'content-type'?: string }> = {
  none: {},
  plain: { 'content-type': 'application/json' },
  charset: { 'content-type': 'application/json; charset=utf-8' },
  'upper case': { 'content-type': 'APPLICATION/JSON;CHARSET=UTF-8' },
};
