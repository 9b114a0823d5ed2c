/** A GraphQL operation as code to paste. The key is never part of it. */
import { shellQuoted } from '../../../common/shell-quoted.js';
import { keyPlace } from './curl-line.js';

export interface GraphqlRequest {
  document: string;
  variables: Readonly<Record<string, unknown>>;
}

export interface Snippet {
  language: 'curl' | 'fetch' | 'urql' | 'Apollo Client';
  text: string;
}

/** A request to GraphQL as a line of curl. */
export const graphqlCurl = (request: { query: string; variables?: object | undefined }, origin: string): string =>
  `curl ${shellQuoted(`${origin}/graphql`)} \\
  -H "Authorization: Bearer ${keyPlace}" \\
  -H 'Content-Type: application/json' \\
  --data-raw ${shellQuoted(JSON.stringify(request))}
`;

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

const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
