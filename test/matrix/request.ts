/** An attempt as a request in the form of a way. */
import { createHash } from 'node:crypto';
import type { Attempt } from './attempt.js';
import { documentOf } from './document.js';
import type { Way } from './ways.js';

export interface Outgoing {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer | undefined;
  /** Sent in pieces, without its length. */
  inChunks?: boolean;
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name under which a list of trusted documents may know a text. */
export const trustedName = (text: string): string => `Deed-${hashOf(text).slice(0, 16)}`;

/** `token` is the secret of the attempt's key; undefined sends none. `unique` is an Idempotency-Key nobody else has. */
export function requestOf(attempt: Attempt, way: Way, token: string | undefined, unique: string): Outgoing {
  const isGet = way.transport === 'GET' || way.transport === 'HEAD';
  const parameters = parametersOf(attempt, way);
  const headers = {
    ...(token === undefined ? {} : { authorization: `${way.scheme} ${token}` }),
    ...accepts[way.accept],
    ...(way.idempotencyKey === 'present' ? { 'idempotency-key': unique } : {}),
    ...(way.cost === 'asked' ? { 'x-graphql-cost': '1' } : {}),
    ...(isGet ? {} : contentTypes[way.contentType]),
    ...attempt.headers,
  };
  if (isGet) return { method: way.transport, path: `/graphql?${searchOf(parameters)}`, headers };
  const path = way.transport === 'POST past Express' ? '/graphql?operationName=Another' : '/graphql';
  const body = attempt.body ?? JSON.stringify(parameters);
  return { method: 'POST', path, headers, body, inChunks: way.transport === 'POST in chunks' };
}

function parametersOf(attempt: Attempt, way: Way): Record<string, unknown> {
  const { query, variables } = documentOf(attempt, way);
  const hash = way.text === 'trusted name' ? trustedName(query) : hashOf(query);
  const persisted = { persistedQuery: { version: 1, sha256Hash: hash } };
  const isHashed = way.text !== 'sent' && way.text !== 'trusted text';
  const isTextSent = !isHashed || way.text === 'sent with its hash';
  const all = {
    query: isTextSent ? query : undefined,
    variables: Object.keys(variables).length > 0 ? variables : undefined,
    operationName: names[way.operationName],
    extensions: isHashed
      ? { ...persisted, ...(way.extensions === 'unknown' ? { unknown: 1 } : {}) }
      : extensions[way.extensions],
    ...attempt.parameters,
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

const names = { absent: undefined, null: null, empty: '', right: 'Deed' };
const extensions = { absent: undefined, null: null, empty: {}, unknown: { unknown: 1 } };
const accepts: Record<Way['accept'], { accept?: string }> = {
  nothing: {},
  anything: { accept: '*/*' },
  json: { accept: 'application/json' },
  'graphql-response': { accept: 'application/graphql-response+json' },
  'json or events': { accept: 'text/event-stream, application/json' },
};
const contentTypes: Record<Way['contentType'], { 'content-type'?: string }> = {
  none: {},
  plain: { 'content-type': 'application/json' },
  charset: { 'content-type': 'application/json; charset=utf-8' },
  'upper case': { 'content-type': 'APPLICATION/JSON;CHARSET=UTF-8' },
  'quoted charset': { 'content-type': 'application/json  ;charset="utf-8" ;' },
};
