import { type CombinedError, makeOperation, mapExchange, type Operation } from '@urql/core';
import { codesOf } from './trouble.js';

/** Codes after which nobody knows whether the mutation was carried out. */
const uncertain: unknown[] = ['UNAVAILABLE', 'TIMEOUT', 'INTERNAL_SERVER_ERROR', 'IDEMPOTENCY_CONFLICT'];

/**
 * Gives each mutation an Idempotency-Key. If its answer is lost, the same mutation has the same key when it is sent again,
 * so it happens once.
 */
export function onceExchange() {
  const keys = new Map<number, string>();
  return mapExchange({
    onOperation(operation) {
      if (operation.kind !== 'mutation') return operation;
      const key = keys.get(operation.key) ?? crypto.randomUUID();
      keys.set(operation.key, key);
      return makeOperation(operation.kind, operation, { ...operation.context, fetchOptions: withKey(operation, key) });
    },
    onResult({ operation, error }) {
      if (!error || isCertain(error)) keys.delete(operation.key);
    },
  });
}

function withKey({ context: { fetchOptions } }: Operation, key: string): RequestInit {
  const options = typeof fetchOptions === 'function' ? fetchOptions() : fetchOptions;
  return { ...options, headers: { ...Object.fromEntries(new Headers(options?.headers)), 'idempotency-key': key } };
}

function isCertain(error: CombinedError): boolean {
  return !error.networkError && !codesOf(error).some((code) => uncertain.includes(code));
}
