import { Client, type CombinedError, fetchExchange, makeOperation, mapExchange } from '@urql/core';
import { authExchange } from '@urql/exchange-auth';
import { cacheExchange } from '@urql/exchange-graphcache';
import { retryExchange } from '@urql/exchange-retry';
import { keys } from '../generated/cache-keys.js';
import { isDue, type Session } from '../session.js';
import { renew } from '../sign-in.js';
import { codesOf } from './trouble.js';

/**
 * A client with a normalised cache that sends the key, or the token of a person, which it renews in time. When the gateway
 * refuses it, requests wait for the session that `askForSession` gives.
 */
export function createClient(first: Session, askForSession: () => Promise<Session>): Client {
  let session = first;
  /** With which key the request was sent that was refused last. A stream that began with an earlier key ends late. */
  let refused: unknown;
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchSubscriptions: true,
    exchanges: [
      cacheExchange({ keys }),
      onceExchange(),
      retryExchange({
        initialDelayMs: 500,
        maxDelayMs: 4_000,
        maxNumberAttempts: 5,
        retryIf: (error, { kind }) => kind === 'mutation' && isUncertain(error),
      }),
      authExchange(async ({ appendHeaders }) => ({
        addAuthToOperation(operation) {
          const sent = appendHeaders(operation, { authorization: `Bearer ${session.key}` });
          return makeOperation(sent.kind, sent, { ...sent.context, key: session.key });
        },
        willAuthError: () => isDue(session),
        didAuthError(error, { context }) {
          const isRefused = codesOf(error).includes('UNAUTHENTICATED');
          if (isRefused) refused = context.key;
          return isRefused;
        },
        async refreshAuth() {
          if (refused !== session.key && !isDue(session)) return;
          const next = session.refreshToken === undefined ? undefined : await renew(session).catch(() => undefined);
          session = next ?? (await askForSession());
        },
      })),
      fetchExchange,
    ],
  });
}

/**
 * Gives each mutation an Idempotency-Key. As long as nobody knows whether it was carried out, the same mutation has the same
 * key when it is sent again, so it happens once.
 */
function onceExchange() {
  const onceKeys = new Map<number, string>();
  return mapExchange({
    onOperation(operation) {
      if (operation.kind !== 'mutation') return operation;
      const onceKey = onceKeys.get(operation.key) ?? crypto.randomUUID();
      onceKeys.set(operation.key, onceKey);
      const fetchOptions = { headers: { 'idempotency-key': onceKey } };
      return makeOperation(operation.kind, operation, { ...operation.context, fetchOptions });
    },
    onResult({ operation, error }) {
      if (!error || !isUncertain(error)) onceKeys.delete(operation.key);
    },
  });
}

function isUncertain(error: CombinedError): boolean {
  const uncertain: unknown[] = ['UNAVAILABLE', 'TIMEOUT', 'INTERNAL_SERVER_ERROR', 'IDEMPOTENCY_CONFLICT'];
  return error.networkError !== undefined || codesOf(error).some((code) => uncertain.includes(code));
}
