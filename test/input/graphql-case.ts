import type { RawRequest } from './raw-request.js';

/**
 * An invalid request that is possible only in GraphQL. `$repair`, `$item` and `$otherItem` are ids of existing records.
 */
export interface GraphqlCase {
  what: string;
  request: RawRequest;
  code: string;
  /** The names that must be reported, each as a path from the argument. */
  names?: readonly string[];
  /** A part of the first message, which names the field if `names` do not. */
  says?: string;
  /** The status, if it is not 200. */
  status?: number;
}

/** Cases by what is wrong: what is sent, and the names that are reported. */
export type Named = Record<string, [sent: string, ...names: string[]]>;

/** Cases by what is wrong: what is sent, and what the answer says. */
export type Saying = Record<string, [sent: string, says: string]>;

export function post(body: string | Buffer): RawRequest {
  return { method: 'POST', path: '/graphql', body };
}

/** `variables` is JSON text: some of it could not be written as a value of JavaScript. */
export function operation(query: string, variables = '{}'): RawRequest {
  return post(`{"query": ${JSON.stringify(query)}, "variables": ${variables}}`);
}

/** A test for each of `cases`, sent in the form that `request` makes, and refused for the given names. */
export function named(cases: Named, request: (sent: string) => RawRequest): GraphqlCase[] {
  return Object.entries(cases).map(([what, [sent, ...names]]) => ({
    what,
    request: request(sent),
    code: 'BAD_USER_INPUT',
    names,
  }));
}

/** A test for each of `cases`, sent in the form that `request` makes, and refused with `code` and the given words. */
export function saying(code: string, cases: Saying, request: (sent: string) => RawRequest = operation): GraphqlCase[] {
  return Object.entries(cases).map(([what, [sent, says]]) => ({ what, request: request(sent), code, says }));
}
