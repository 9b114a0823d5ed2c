/** The cache of documents that clients send. */
import { createHash } from 'node:crypto';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DocumentCache } from '../../src/graphql/operation/documents.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

test('documents are kept by the length of their texts, and with each goes its hash', () => {
  const kept = new DocumentCache();
  const textOf = (index: number) => `{ a${index} } #${'x'.repeat(10_000)}`;
  for (let index = 0; index < 200; index++) {
    const text = textOf(index);
    kept.keep(text, parse(text), hashOf(text));
  }
  const alive = Array.from({ length: 200 }, (_, index) => index).filter((index) => kept.get(textOf(index)));
  expect(alive.length * textOf(0).length).toBeLessThanOrEqual(DocumentCache.mostCharacters);
  expect(alive.length).toBeGreaterThan(40);
  for (let index = 0; index < 200; index++) {
    expect(kept.textOf(hashOf(textOf(index))) !== undefined).toBe(alive.includes(index));
  }
});

describe('under its hash', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const post = (body: object) => gateway.rest('POST', '/graphql', body);
  const persisted = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(text) } });

  test.each([
    ['no GraphQL', `this is no GraphQL ${'x'.repeat(100_000)}`, {}],
    ['not valid', '{ nope }', {}],
    ['too costly', '{ assetRepairs(first: 1000) { nodes { consumedItems(limit: 1000) { id } } } }', {}],
    ['given wrong variables', 'query ($n: Int) { assetRepairs(first: $n) { totalCount } }', { n: 'x' }],
    ['one of two operations, without saying which', 'query A { __typename } query B { __typename }', {}],
  ])('nothing is kept that was refused: %s', async (_case, query, variables) => {
    const extensions = persisted(query);
    expect((await post({ query, variables, extensions })).body.errors).toHaveLength(1);
    const again = await post({ variables, extensions });
    expect(again.body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('a document that was first sent without its hash is found by it later', async () => {
    const query = '{ quotations { totalCount } }';
    const data = { quotations: { totalCount: 0 } };
    expect((await post({ query })).body).toEqual({ data });
    expect((await post({ query, extensions: persisted(query) })).body).toEqual({ data });
    expect((await post({ extensions: persisted(query) })).body).toEqual({ data });
  });

  test.each([
    ['a hash that is an object', { persistedQuery: { version: 1, sha256Hash: { toString: 1 } } }],
    ['a hash that is a number', { persistedQuery: { version: 1, sha256Hash: 5 } }],
    ['another version', { persistedQuery: { version: 2, sha256Hash: hashOf('x') } }],
    ['a list', { persistedQuery: [] }],
    ['a text', { persistedQuery: 'x' }],
  ])('%s is refused with the form it should have', async (_case, extensions) => {
    for (const query of [undefined, '{ __typename }']) {
      const { status, body } = await post({ query, extensions });
      expect([status, body.errors[0].extensions.reason]).toEqual([400, 'parameters_invalid']);
      expect(body.errors[0].message).toContain('sha256Hash');
    }
  });
});
