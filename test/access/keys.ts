import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import type { Answer, TestGateway } from '../support/gateway.js';

/** A caller with a new key with these scopes. */
export interface Caller {
  id: string;
  secret: string;
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  graphql(query: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
}

export async function callerWith(gateway: TestGateway, ...scopes: string[]): Promise<Caller> {
  const { apiKey, secret } = await createKey(gateway.database, { name: 'a test', scopes });
  return { id: apiKey.id, ...callerOf(gateway, secret) };
}

/** A caller with this secret. */
export function callerOf(gateway: Pick<TestGateway, 'rest' | 'graphql'>, secret: string): Omit<Caller, 'id'> {
  const authorization = `Bearer ${secret}`;
  return {
    secret,
    rest: (method, path, body, headers) => gateway.rest(method, path, body, { authorization, ...headers }),
    graphql: (query, variables, headers) => gateway.graphql(query, variables, { authorization, ...headers }),
  };
}

/** `code path` of each error of a GraphQL answer, `FORBIDDEN assetRepairs`. */
export const errorsOf = ({ body }: Pick<Answer, 'body'>): string[] =>
  (body.errors ?? []).map(
    ({ extensions, path }: { extensions: { code: string }; path?: string[] }) =>
      `${extensions.code} ${path?.join('.') ?? ''}`,
  );

/**
 * Resolves once the secret no longer works at `url`. Fails if a request that is sent later than a second from now still
 * succeeds.
 */
export async function endsWithinASecond(url: string, secret: string): Promise<void> {
  const start = performance.now();
  for (;;) {
    const sent = performance.now() - start;
    const { status } = await fetch(`${url}/api/stock/serial-no`, { headers: { authorization: `Bearer ${secret}` } });
    if (status === 401) return;
    expect([status, sent < 1000], `let in ${Math.round(sent)} ms later`).toEqual([200, true]);
    await sleep(50);
  }
}
