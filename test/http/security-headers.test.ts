import { beforeAll, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

test.each([
  ['/', 'text/html'],
  ['/', 'application/json'],
  ['/graphql', 'text/html'],
  ['/graphql?query={__typename}', '*/*'],
  ['/schema', 'text/html'],
  ['/pages/about.json', '*/*'],
  ['/api/assets/asset-repair', '*/*'],
  ['/nowhere', '*/*'],
  ['/healthz', '*/*'],
])(
  '%s as %s cannot be framed, sniffed or read from elsewhere, and tells nothing of the server',
  async (path, accept) => {
    const { authorization, ...headers } = { authorization: '', accept };
    const answer = await gateway.rest(
      'GET',
      path,
      undefined,
      accept === 'text/html' ? { authorization, accept } : headers,
    );
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('server')).toBeNull();
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  },
);

test.each([
  ['/api/assets/asset-repair', 'no-store'],
  // Only the caller may cache it, and must revalidate it each time: so an unchanged answer is 304.
  ['/graphql?query={__typename}', 'private, no-cache'],
])('nobody else may store the answer of %s', async (path, policy) => {
  expect((await gateway.rest('GET', path)).headers.get('cache-control')).toBe(policy);
});
