/** Every REST endpoint with a key that has all scopes except its own, and with one that has only its own. */
import { beforeAll, describe, expect, test } from 'vitest';
import { knownScopes } from '../../src/model/scopes.js';
import { decidedEndpoints, documentedEndpoints, type Endpoint } from '../contract/endpoints.js';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';
import { type Caller, callerWith } from './keys.js';

/** Written here again, independently of the code under test. */
const verbs = {
  retrieve: 'read',
  list: 'read',
  create: 'write',
  update: 'write',
  reorder: 'write',
  submit: 'submit',
  cancel: 'cancel',
  delete: 'delete',
};
const areas = ['signing', 'accounts', 'setup', 'assets', 'subcontracting', 'stock', 'manufacturing', 'projects', 'crm'];

const endpoints = [...documentedEndpoints, ...decidedEndpoints];
const scopeOf = ({ path, operation }: Endpoint) => `${path.split('/')[2]}:${verbs[operation]}`;
const scopes = [...new Set(endpoints.map(scopeOf))].sort();

describe('the scopes', () => {
  test('are those of every area and of what can be done there, `*` and `admin`', () => {
    expect([...knownScopes].sort()).toEqual(['*', 'admin', 'webhooks', ...scopes].sort());
    expect([...new Set(scopes.map((scope) => scope.split(':')[0]))]).toEqual([...areas].sort());
    expect(scopes).not.toContain('accounts:submit');
  });
});

// Scopes are compared before the database is asked anything, so one database shows them all.
describe('on a running gateway', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await sharedGateway('sqlite', true);
  });

  test('each endpoint is forbidden to a key that holds every scope but its own, whatever is sent', async () => {
    const answers: Record<string, unknown> = {};
    await forEachScope(
      (scope) => [...scopes.filter((other) => other !== scope), 'admin'],
      async (scope, caller, { method, path }) => {
        const { status, body, text } = await caller.rest(method, path.replace('{id}', 'some_id'), bodyOf(method));
        const { type, code, missing_scopes: missing } = body?.error ?? {};
        const isRight = status === 403 && `${type} ${code} ${missing}` === `permission_error forbidden ${scope}`;
        if (!isRight || !body.error.message.includes(`\`${scope}\``)) answers[`${method} ${path}`] = text;
      },
    );
    expect(answers).toEqual({});
  });

  test('each endpoint is open to a key that holds its own scope and no other', async () => {
    const answers: Record<string, unknown> = {};
    await forEachScope(
      (scope) => [scope],
      async (_, caller, { method, path }) => {
        const { status, text } = await caller.rest(method, path.replace('{id}', 'some_id'), bodyOf(method));
        if (![200, 201, 400, 404].includes(status)) answers[`${method} ${path}`] = text;
      },
    );
    expect(answers).toEqual({});
  });

  test('HEAD is a way of reading', async () => {
    const blind = await callerWith(gateway, 'assets:write');
    expect((await blind.rest('HEAD', '/api/assets/asset-repair')).status).toBe(403);
  });

  test('an unknown path is unknown to every key, and every key learns the methods of a path', async () => {
    const caller = await callerWith(gateway, 'stock:read');
    expect((await caller.rest('GET', '/api/assets/no-such-thing')).status).toBe(404);
    expect((await caller.rest('PUT', '/api/assets/asset-repair')).status).toBe(405);
    expect((await caller.rest('OPTIONS', '/api/assets/asset-repair')).status).toBe(204);
  });

  /** Calls every endpoint with the key its scope is given. */
  async function forEachScope(
    held: (scope: string) => string[],
    call: (scope: string, caller: Caller, endpoint: Endpoint) => Promise<void>,
  ): Promise<void> {
    for (const scope of scopes) {
      const caller = await callerWith(gateway, ...held(scope));
      const own = endpoints.filter((endpoint) => scopeOf(endpoint) === scope);
      await Promise.all(own.map((endpoint) => call(scope, caller, endpoint)));
    }
  }
});

/** A body that could not be stored, because the scope is checked first. */
const bodyOf = (method: string) => (method === 'GET' || method === 'DELETE' ? undefined : { nonsense: 1 });
