/** A GraphQL operation and a REST call as code to paste. The key is never part of it. */
import { shellQuoted } from '../../../common/shell-quoted.js';
import { type Call, keyPlace } from './curl-line.js';

export interface GraphqlRequest {
  document: string;
  variables: Readonly<Record<string, unknown>>;
}

export interface Snippet {
  language: 'curl' | 'fetch' | 'urql' | 'Apollo Client';
  text: string;
}

export const graphqlCurl = (request: { query: string; variables?: object | undefined }, origin: string): string =>
  asCurl({
    method: 'POST',
    origin,
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });

/** `origin` is that of the gateway, without `/` at its end. */
export function graphqlSnippets({ document, variables }: GraphqlRequest, origin: string): Snippet[] {
  const url = `${origin}/graphql`;
  const values = JSON.stringify(variables, null, 2);
  const isMutation = /^\s*mutation\b/.test(document);
  const template = `\`${document.trim().replace(/[\\`]|\$\{/g, '\\$&')}\``;
  return [
    {
      language: 'curl',
      text: graphqlCurl({ query: document.trim(), variables }, origin),
    },
    {
      language: 'fetch',
      text: `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.API_KEY}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    query: ${template},
    variables: ${indented(values, 4)},
  }),
});
const { data, errors } = await response.json();
`,
    },
    {
      language: 'urql',
      text: `import { Client, fetchExchange, gql } from '@urql/core';

const client = new Client({
  url: ${JSON.stringify(url)},
  exchanges: [fetchExchange],
  fetchOptions: { headers: { Authorization: \`Bearer \${process.env.API_KEY}\` } },
});
const { data, error } = await client.${isMutation ? 'mutation' : 'query'}(gql${template}, ${values});
`,
    },
    {
      language: 'Apollo Client',
      text: `import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';

const client = new ApolloClient({
  cache: new InMemoryCache(),
  link: new HttpLink({
    uri: ${JSON.stringify(url)},
    headers: { Authorization: \`Bearer \${process.env.API_KEY}\` },
  }),
});
const { data } = await client.${isMutation ? 'mutate' : 'query'}({
  ${isMutation ? 'mutation' : 'query'}: gql${template},
  variables: ${indented(values, 2)},
});
`,
    },
  ];
}

export function asCurl({ method, origin, path, headers, body }: Call): string {
  const parts = [
    `curl ${bracketed.test(path) ? '-g ' : ''}${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${shellQuoted(method)} `}${shellQuoted(origin + path)}`,
    `-H "Authorization: Bearer ${keyPlace}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${headerName(name)}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ];
  return `${parts.join(' \\\n  ')}\n`;
}

/** Characters by which curl expands an address into several, or refuses it, unless an option forbids that. */
const bracketed = /[[\]{}]/;

/** `content-type` → `Content-Type` */
const headerName = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
