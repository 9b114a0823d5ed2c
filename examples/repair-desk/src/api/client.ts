import { Client, fetchExchange, mapExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { schema } from '../generated/cache-schema.js';
import { onceExchange } from './once-exchange.js';
import { codesOf } from './trouble.js';

// Every record has a globally unique id, which is all the cache needs. These are values of a record, or no records.
const withoutId = () => null;
const keys = {
  AssetRepairEvent: withoutId,
  AssetRepairPayload: withoutId,
  ChangeAuthor: withoutId,
  DeletePayload: withoutId,
  DocumentVersion: withoutId,
  HistoryConnection: withoutId,
  RecordActionState: withoutId,
  UserError: withoutId,
  Viewer: withoutId,
};

/** A client with a normalised cache that sends the key; `onKeyRefused` is called when the gateway does not take it. */
export function createClient(key: string, onKeyRefused: () => void): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${key}` } },
    fetchSubscriptions: true,
    exchanges: [
      mapExchange({
        onError(error) {
          if (codesOf(error).includes('UNAUTHENTICATED')) onKeyRefused();
        },
      }),
      // The schema tells for which types a fragment on `BusinessRecord` or `BusinessDocument` is.
      cacheExchange({ keys, schema }),
      onceExchange(),
      fetchExchange,
    ],
  });
}
