/** The headers that show how a request was understood. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../input/raw-request.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { restOperations } from '../support/rest-operations.js';

const list = '/api/assets/asset-repair';

describe('an answer of REST', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ env: { CORS_ORIGINS: '*' } });
  });
  afterAll(() => gateway.close());

  const told = async (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const answer = await gateway.rest(method, path, body, headers);
    return {
      status: answer.status,
      operation: answer.headers.get('x-graphql-operation'),
      ignored: answer.headers.get('x-ignored-parameters'),
    };
  };

  test('names the operation of each endpoint', async () => {
    for (const { name, method, path } of restOperations) {
      const answer = await told(method, path.replace('{id}', 'unknown_1'), {}, method === 'GET' ? undefined : {});
      expect([path, answer.operation]).toEqual([path, name]);
    }
  });

  test('names it also in a refusal and to HEAD, but not where there is no endpoint or no key', async () => {
    expect(await told('GET', `${list}?limit=0`)).toMatchObject({ status: 400, operation: 'AssetRepairList' });
    expect(await told('HEAD', list)).toMatchObject({ status: 200, operation: 'AssetRepairList' });
    expect(await told('POST', list, { 'content-type': 'text/plain' }, '{}')).toMatchObject({
      status: 415,
      operation: 'AssetRepairCreate',
    });
    expect(await told('POST', list, {}, 'x'.repeat(2 ** 20 + 1))).toMatchObject({
      status: 413,
      operation: 'AssetRepairCreate',
    });
    expect(await told('GET', '/api/nothing')).toEqual({ status: 404, operation: null, ignored: null });
    expect(await told('PUT', list)).toEqual({ status: 405, operation: null, ignored: null });
    expect(await told('GET', `${list}?status=x`, { authorization: 'Bearer wrong' })).toEqual({
      status: 401,
      operation: null,
      ignored: null,
    });
  });

  test('names the parameters that were ignored, each once', async () => {
    const { ignored } = await told('GET', `${list}?status=draft&limit=1&LIMIT=2&status=x&parent_id=1`);
    expect(ignored).toBe('status, LIMIT, parent_id');
    expect((await told('GET', `${list}?limit=1&offset=0`)).ignored).toBeNull();
    const item = '/api/assets/asset-repair-consumed-item';
    expect((await told('GET', `${item}?parent_id=x&limit=1`)).ignored).toBeNull();
    expect((await told('POST', `${item}/reorder?parent_id=x&limit=1`, {}, {})).ignored).toBe('limit');
    expect((await told('GET', `${list}?_explain=graphql`)).ignored).toBeNull();
  });

  test('exposes these headers to scripts of other origins', async () => {
    const { headers } = await gateway.rest('GET', list, undefined, { origin: 'https://app.example' });
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['X-GraphQL-Operation', 'X-Ignored-Parameters']));
  });

  test.each([
    ['a line end', 'a%0d%0aSet-Cookie:%20x%3D1', 'a%0D%0ASet-Cookie%3A%20x%3D1'],
    ['a comma', 'a%2Cb', 'a%2Cb'],
    ['a letter outside Latin-1', '%E2%82%AC', '%E2%82%AC'],
    ['half a character', '%ED%A0%80', '%EF%BF%BD%EF%BF%BD%EF%BF%BD'],
    ['nothing', '', ''],
    ['a name of JavaScript', '__proto__', '__proto__'],
    ['U+0000', '%00', '%00'],
  ])('holds a name with %s safely', async (_, name, shown) => {
    const { status, headers } = await rawRequest(gateway, { method: 'GET', path: `${list}?${name}=1` });
    expect([status, headers['x-ignored-parameters'], headers['set-cookie']]).toEqual([200, shown, undefined]);
  });

  test('stays short however many and however long the names are', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `n${index}`).join('&');
    const { ignored } = await told('GET', `${list}?${many}`);
    expect(ignored).toMatch(/^n0, n1, .*, \.\.\.$/);
    expect(ignored?.length).toBeLessThanOrEqual(505);
    expect((await told('GET', `${list}?${'x'.repeat(9_000)}=1`)).ignored).toBe('...');
    expect((await told('GET', `${list}?${'%E2%82%AC'.repeat(400)}=1`)).ignored).toBe('...');
  });
});
