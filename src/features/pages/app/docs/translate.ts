import type { Call } from '../../../translation/call.js';
import { readCurl } from '../../../translation/curl-line.js';
import { restTwin } from '../../../translation/rest-twin.js';
import { asCurl, graphqlSnippets, type Snippet } from '../../../translation/snippets.js';
import type { About } from '../../about.js';
import { jsonOf, reach } from '../api/about.js';
import { addressOf, gateway, pathOf } from '../router.js';

export interface Translation {
  /** What the pasted text is, and what it means. */
  title: string;
  snippets: Snippet[];
  /** Where GraphiQL opens with it; undefined for a call of REST, and for what is too long for an address. */
  graphiql?: string | undefined;
}

const origin = gateway.href.replace(/\/$/, '');

/**
 * What a pasted line of curl means in GraphQL, or a pasted operation in REST. The gateway explains a call of REST for
 * the key of the signed-in user; the key of the line is sent nowhere. @throws Error with what is wrong
 */
export async function translate(text: string, about: About, key: string | undefined): Promise<Translation> {
  if (!/^\s*(\$\s*)?\S*curl/.test(text)) return toRest(text, {}, about);
  const call = readCurl(text);
  if ('problem' in call) throw new Error(call.problem);
  if (/^\/graphql(\?|$)/.test(call.path)) return fromGraphqlCall(call, about);
  if (!key) throw new Error('Sign in first: the gateway explains a call only to those who may make it.');
  return explain(call, key);
}

interface Explained {
  explanation?: { operation: string; document: string; variables: Record<string, unknown>; graphiql: string | null };
  error?: { message: string };
}

async function explain({ method, path, headers, body }: Call, key: string): Promise<Translation> {
  const url = new URL(addressOf(path.slice(1)));
  // The address that is asked decides, not the text: by `..` the text could lead to where calls are not explained.
  if (!url.href.startsWith(addressOf('api/')))
    throw new Error('Calls of REST go to /api/…, and those of GraphQL to /graphql.');
  url.searchParams.set('_explain', 'graphql');
  const { 'if-match': version } = headers;
  const response = await reach(url, {
    method: method === 'HEAD' ? 'GET' : method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(version === undefined ? {} : { 'If-Match': version }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: method === 'GET' || method === 'HEAD' ? undefined : body,
  });
  const { explanation, error } = await jsonOf<Explained>(response);
  if (!explanation) throw new Error(error?.message ?? `The gateway answered ${response.status}.`);
  const { operation, document, variables, graphiql } = explanation;
  return {
    title: `${operation} does the same in GraphQL`,
    snippets: graphqlSnippets({ document, variables }, origin),
    graphiql: graphiql ? pathOf('graphql') + graphiql.slice(graphiql.indexOf('#')) : undefined,
  };
}

function fromGraphqlCall({ body = '{}' }: Call, about: About): Translation {
  const { query, variables } = objectIn(body) ?? {};
  if (typeof query !== 'string') throw new Error('The body is not a JSON object with an operation as its `query`.');
  return toRest(query, isObject(variables) ? variables : {}, about);
}

/** An operation may be followed by its variables, as a JSON object. */
function toRest(text: string, given: Record<string, unknown>, { types }: About): Translation {
  const end = text.lastIndexOf('\n{');
  const variables = end < 0 ? undefined : objectIn(text.slice(end));
  const call = variables ? restTwin(text.slice(0, end), variables, types) : restTwin(text, given, types);
  if ('problem' in call) throw new Error(call.problem);
  const [path = ''] = call.path.split('?');
  return {
    title: `${call.method} ${path} does the same in REST, and answers with every field`,
    snippets: [{ language: 'curl', text: asCurl({ ...call, origin }) }],
  };
}

function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
