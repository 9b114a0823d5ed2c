/** Makes the HTTP request of a call, as the variant says. */
import { createHash } from 'node:crypto';
import type { GraphqlCall } from './calls.js';
import { documentOf } from './document.js';
import type { GraphqlVariant } from './graphql-variants.js';

export interface OutgoingRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer | undefined;
  /** Sent in pieces, without its length. */
  inChunks?: boolean;
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name under which a list of trusted documents may know a text. */
export const trustedName = (text: string): string => `Main-${hashOf(text).slice(0, 16)}`;

/** `token` is the secret of the call's key, or undefined for none. `unique` is an Idempotency-Key of this call alone. */
export function requestOf(
  call: GraphqlCall,
  variant: GraphqlVariant,
  token: string | undefined,
  unique: string,
): OutgoingRequest {
  const isGet = variant.transport === 'GET' || variant.transport === 'HEAD';
  const parameters = parametersOf(call, variant);
  const headers = {
    ...(token === undefined ? {} : { authorization: `${variant.scheme} ${token}` }),
    ...accepts[variant.accept],
    ...(variant.idempotencyKey === 'present' ? { 'idempotency-key': unique } : {}),
    ...(variant.cost === 'asked' ? { 'x-graphql-cost': '1' } : {}),
    ...(isGet ? {} : contentTypes[variant.contentType]),
    ...call.headers,
  };
  if (isGet) return { method: variant.transport, path: `/graphql?${searchOf(parameters)}`, headers };
  const path = variant.transport === 'POST past Express' ? '/graphql?operationName=Another' : '/graphql';
  const body = call.body ?? JSON.stringify(parameters);
  return { method: 'POST', path, headers, body, inChunks: variant.transport === 'POST in chunks' };
}

function parametersOf(call: GraphqlCall, variant: GraphqlVariant): Record<string, unknown> {
  const { query, variables } = documentOf(call, variant);
  const hash = variant.text === 'trusted name' ? trustedName(query) : hashOf(query);
  const persisted = { persistedQuery: { version: 1, sha256Hash: hash } };
  const isHashed = variant.text !== 'sent' && variant.text !== 'trusted text';
  const isTextSent = !isHashed || variant.text === 'sent with its hash';
  const all = {
    query: isTextSent ? query : undefined,
    variables: Object.keys(variables).length > 0 ? variables : undefined,
    operationName: names[variant.operationName],
    extensions: isHashed
      ? { ...persisted, ...(variant.extensions === 'unknown' ? { unknown: 1 } : {}) }
      : extensions[variant.extensions],
    ...call.parameters,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function searchOf(parameters: Record<string, unknown>): string {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(texts).toString();
}

const names = { absent: undefined, null: null, empty: '', right: 'Main' };
const extensions = { absent: undefined, null: null, empty: {}, unknown: { unknown: 1 } };
const accepts: Record<GraphqlVariant['accept'], { accept?: string }> = {
  nothing: {},
  anything: { accept: '*/*' },
  json: { accept: 'application/json' },
  'graphql-response': { accept: 'application/graphql-response+json' },
  'json or events': { accept: 'text/event-stream, application/json' },
};
const contentTypes: Record<GraphqlVariant['contentType'], { 'content-type'?: string }> = {
  none: {},
  plain: { 'content-type': 'application/json' },
  charset: { 'content-type': 'application/json; charset=utf-8' },
  'upper case': { 'content-type': 'APPLICATION/JSON;CHARSET=UTF-8' },
  'quoted charset': { 'content-type': 'application/json  ;charset="utf-8" ;' },
};
