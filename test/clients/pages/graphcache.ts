/** A page with urql and the cache of docs/graphql.md. */
import { Client, fetchExchange } from '@urql/core';
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { cacheOf } from '../recipes/graphcache.js';

let urql: Client;
let requests = 0;

export async function open(key: string, _: object): Promise<void> {
  const options = {
    url: `${location.origin}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${key}` } },
    fetch: (...request: Parameters<typeof fetch>) => {
      requests++;
      return fetch(...request);
    },
  };
  const plain = new Client({ ...options, exchanges: [fetchExchange] });
  const { data } = await plain.query<IntrospectionQuery>(getIntrospectionQuery(), {}).toPromise();
  if (!data) throw new Error('No schema');
  urql = new Client({ ...options, exchanges: [cacheOf(data), fetchExchange] });
  requests = 0;
}

export async function ask(
  query: string,
  variables: Record<string, unknown>,
): Promise<Record<string, object> | undefined> {
  const { data, error } = await urql.query<Record<string, object>>(query, variables).toPromise();
  if (error) throw error;
  return data;
}

/** Gets the next page: an operation with `after`, whose page the cache adds to the list. */
export const more = async (query: string, variables: Record<string, unknown>, after: string): Promise<void> => {
  await ask(query, { ...variables, after });
};

export const requestsSoFar = (): number => requests;
