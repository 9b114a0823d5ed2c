import type { RawRequest } from './raw-request.js';

/** A request that only GraphQL can get wrong. `$repair`, `$item` and `$otherItem` are ids of records that are there. */
export interface GraphqlCase {
  what: string;
  request: RawRequest;
  code: string;
  /** The names that must be reported, each from the operation's argument inwards. */
  names?: readonly string[];
  /** What the first message says; it names the field where `names` do not. */
  says?: string;
  /** Where it is not 200. */
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

/** A case for each of `cases`, sent as `request` makes of it, and refused for the names it gives. */
export function named(cases: Named, request: (sent: string) => RawRequest): GraphqlCase[] {
  return Object.entries(cases).map(([what, [sent, ...names]]) => ({
    what,
    request: request(sent),
    code: 'BAD_USER_INPUT',
    names,
  }));
}

/** A case for each of `cases`, sent as `request` makes of it, and refused with `code` and the words it gives. */
export function saying(code: string, cases: Saying, request: (sent: string) => RawRequest = operation): GraphqlCase[] {
  return Object.entries(cases).map(([what, [sent, says]]) => ({ what, request: request(sent), code, says }));
}
