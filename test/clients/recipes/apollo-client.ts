import { ApolloClient, ApolloLink, HttpLink, type PossibleTypesMap } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { RetryLink } from '@apollo/client/link/retry';
import { cacheOf } from './apollo-cache.js';
import { resuming } from './apollo-resuming.js';

export const clientOf = (uri: string, headers: Record<string, string>, possibleTypes: PossibleTypesMap): ApolloClient =>
  new ApolloClient({
    link: ApolloLink.from([onceOnly, new RetryLink(), resuming, new HttpLink({ uri, headers })]),
    cache: cacheOf(possibleTypes),
  });

/** A mutation whose answer is lost is sent again, with the same key: it happens once. */
const onceOnly = new SetContextLink(({ headers }, { operationType }) =>
  operationType === 'mutation' ? { headers: { ...headers, 'idempotency-key': crypto.randomUUID() } } : {},
);
