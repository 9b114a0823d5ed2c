/** A page with Apollo Client and the cache of docs/graphql.md. */
import { ApolloClient, gql, HttpLink } from '@apollo/client';
import { cacheOf, type IntrospectedType, introspection } from '../recipes/apollo-cache.js';

let apollo: ApolloClient;
let requests = 0;

export async function open(key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const link = new HttpLink({
    uri: '/graphql',
    headers,
    fetch: (...request) => {
      requests++;
      return fetch(...request);
    },
  });
  const plain = new ApolloClient({ link, cache: cacheOf([]) });
  const { data } = await plain.query<{ __schema: { types: IntrospectedType[] } }>({ query: gql(introspection) });
  apollo = new ApolloClient({ link, cache: cacheOf(data?.__schema.types ?? []) });
  requests = 0;
}

export const ask = async (query: string, variables: Record<string, unknown>) =>
  (await apollo.query<Record<string, object>>({ query: gql(query), variables })).data;

/** Gets the next page of the list, as `fetchMore` of a component does. */
export async function more(query: string, variables: Record<string, unknown>, after: string): Promise<void> {
  const list = apollo.watchQuery({ query: gql(query), variables });
  const shown = list.subscribe(() => {});
  await list.fetchMore({ variables: { after } });
  shown.unsubscribe();
}

export const requestsSoFar = (): number => requests;
