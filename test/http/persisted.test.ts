import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const query = '{ assetRepairs { totalCount } }';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const persisted = (hash: string) => ({ persistedQuery: { version: 1, sha256Hash: hash } });

async function post(gateway: TestGateway, body: object) {
  return gateway.rest('POST', '/graphql', body);
}

function get(gateway: TestGateway, parameters: Record<string, unknown>, headers: Record<string, string> = {}) {
  const search = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  return gateway.rest('GET', `/graphql?${search}`, undefined, { accept: 'application/json', ...headers });
}

describe('automatic persisted queries', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  test('the hash alone is answered once its text is known', async () => {
    const extensions = persisted(hashOf(query));
    const first = await post(gateway, { extensions });
    expect([first.status, first.body.errors[0].message, first.body.errors[0].extensions.code]).toEqual([
      200,
      'PersistedQueryNotFound',
      'PERSISTED_QUERY_NOT_FOUND',
    ]);
    expect((await post(gateway, { query, extensions })).body).toEqual({ data: { assetRepairs: { totalCount: 0 } } });
    expect((await post(gateway, { extensions })).body).toEqual({ data: { assetRepairs: { totalCount: 0 } } });
    expect((await get(gateway, { extensions })).body).toEqual({ data: { assetRepairs: { totalCount: 0 } } });
  });

  test('a text under the hash of another is refused and not kept', async () => {
    const extensions = persisted(hashOf('{ quotations { totalCount } }'));
    const { status, body } = await post(gateway, { query, extensions });
    expect([status, body.errors[0].extensions.reason]).toEqual([400, 'persisted_query_hash_mismatch']);
    expect((await post(gateway, { extensions })).body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('a mutation by GET stays refused, sent by its hash too', async () => {
    const mutation = 'mutation { deleteIndustryType(id: "x") { deletedId } }';
    const extensions = persisted(hashOf(mutation));
    await post(gateway, { query: mutation, extensions });
    expect((await get(gateway, { extensions })).status).toBe(405);
  });
});

test('members that the specification does not know are ignored, as Relay and others send them', async () => {
  const gateway = await startGateway();
  const relay = { id: 'f3a1', query, variables: {}, documentId: 'x', 'apollo-client': { a: 1 } };
  const answers = [await post(gateway, relay), await get(gateway, relay)];
  await gateway.close();
  for (const { status, body } of answers)
    expect([status, body.data]).toEqual([200, { assetRepairs: { totalCount: 0 } }]);
});

describe('GET and the wire', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    for (let count = 0; count < 30; count++)
      await gateway.rest('POST', '/api/crm/industry-type', { industry: `I${count}` });
  });
  afterAll(() => gateway.close());
  const list = '{ industryTypes(first: 30) { nodes { id industry } } }';

  test('an unchanged answer is 304, a changed one is sent', async () => {
    const { headers } = await get(gateway, { query: list });
    const etag = headers.get('etag') ?? '';
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const again = await get(gateway, { query: list }, { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    await gateway.rest('POST', '/api/crm/industry-type', { industry: 'new' });
    expect((await get(gateway, { query: list }, { 'if-none-match': etag })).status).toBe(200);
  });

  test('a POST has no validator', async () => {
    expect((await post(gateway, { query: list })).headers.get('etag')).toBeNull();
  });

  test('a long answer is compressed for who accepts it, on both surfaces', async () => {
    for (const path of ['/api/crm/industry-type', `/graphql?query=${encodeURIComponent(list)}`]) {
      const plain = await raw(path, 'identity');
      const packed = await raw(path, 'gzip');
      expect(plain.encoding).toBeNull();
      expect(packed.encoding).toBe('gzip');
      expect(packed.vary).toContain('Accept-Encoding');
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
      expect((await raw(path, 'gzip;q=0')).encoding).toBeNull();
    }
  });

  /** The answer as it is on the wire: fetch would decompress it, so Node's own client is used. */
  async function raw(path: string, encoding: string) {
    const { get: send } = await import('node:http');
    return new Promise<{ encoding: string | null; vary: string; bytes: Buffer }>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${gateway.key}`,
        accept: 'application/json',
        'accept-encoding': encoding,
      };
      send(gateway.url + path, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { 'content-encoding': packed = null, vary = '' } = response.headers;
          resolve({ encoding: packed, vary, bytes: Buffer.concat(chunks) });
        });
      }).on('error', reject);
    });
  }
});

describe('trusted documents', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const file = join(freshFolder(), 'documents.json');
    writeFileSync(file, JSON.stringify({ 'list-of-repairs': query }));
    gateway = await startGateway({ env: { TRUSTED_DOCUMENTS: file } });
  });
  afterAll(() => gateway.close());

  test('are performed by their name, their hash or their text', async () => {
    for (const body of [
      { query },
      { extensions: persisted(hashOf(query)) },
      { extensions: persisted('list-of-repairs') },
      { documentId: 'list-of-repairs' },
      { documentId: `sha256:${hashOf(query)}` },
    ]) {
      expect((await post(gateway, body)).body).toEqual({ data: { assetRepairs: { totalCount: 0 } } });
    }
  });

  test('are found by documentId in a GET too, and no other is', async () => {
    expect((await get(gateway, { documentId: 'list-of-repairs' })).body.data).toEqual({
      assetRepairs: { totalCount: 0 },
    });
    const other = await post(gateway, { documentId: 'another' });
    expect([other.status, other.body.errors[0].extensions.reason]).toEqual([403, 'untrusted_document']);
    expect((await post(gateway, { documentId: 7 })).body.errors[0].extensions.reason).toBe('parameters_invalid');
  });

  test('no other is, on GraphQL; REST goes on', async () => {
    const beside = await post(gateway, { query: '{ __typename }', extensions: persisted(hashOf(query)) });
    expect([beside.status, beside.body.errors[0].extensions.reason]).toEqual([400, 'persisted_query_hash_mismatch']);
    for (const body of [{ query: '{ __typename }' }, { extensions: persisted(hashOf('{ __typename }')) }]) {
      const { status, body: answer } = await post(gateway, body);
      expect([status, answer.errors[0].extensions.reason]).toEqual([403, 'untrusted_document']);
    }
    expect((await gateway.rest('GET', '/api/assets/asset-repair')).status).toBe(200);
  });
});
