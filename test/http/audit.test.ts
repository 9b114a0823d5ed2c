/**
 * GraphQL over HTTP by the audit of its working group: all 61 requirements, for answers by SQL and by the resolvers.
 */
import { auditServer } from 'graphql-http';
import { describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.js';

describe.each([
  ['the database', true],
  ['the resolvers', false],
])('GraphQL over HTTP, answered by %s', (_answerer, compiled) => {
  test('fails none of the 61 audits', async () => {
    const gateway = await startGateway({ compiled });
    const withKey: typeof fetch = (url, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${gateway.key}`);
      return fetch(url, { ...init, headers });
    };
    const results = await auditServer({ url: `${gateway.url}/graphql`, fetchFn: withKey });
    await gateway.close();
    expect(results).toHaveLength(61);
    expect(results.filter(({ status }) => status !== 'ok').map(shown)).toEqual([]);
  });
});

const shown = (result: { id: string; name: string; status: string; reason?: string }) =>
  `${result.status} ${result.id} ${result.name}: ${result.reason ?? ''}`;
