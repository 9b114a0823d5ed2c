import { Client, fetchExchange, mapExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';

// Every record has a globally unique id, which is all the cache needs; the payload of a save is no record.
const keys = { SaveAssetRepairPayload: () => null };

/** A client with a normalised cache that sends the key; `onKeyRefused` is called when the gateway does not take it. */
export function createClient(key: string, onKeyRefused: () => void): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${key}` } },
    exchanges: [
      mapExchange({
        onError(error) {
          if (error.graphQLErrors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED')) onKeyRefused();
        },
      }),
      cacheExchange({ keys }),
      fetchExchange,
    ],
  });
}
