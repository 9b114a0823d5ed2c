/**
 * For every endpoint: the operation in `?_explain=graphql`, sent to `/graphql`, gives the same result as the endpoint.
 */
import { describe, expect, test } from 'vitest';
import { decidedEndpoints, documentedEndpoints } from '../contract/endpoints.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import type { TestGateway } from '../support/gateway.js';
import { restOperations } from '../support/rest-operations.js';
import { alike, calls, inRestForm, send, withoutLines } from './calls.js';

onBothDatabases((gateway, share) => {
  describe('the explanation of', () => {
    for (const endpoint of share([...documentedEndpoints, ...decidedEndpoints])) {
      test(`${endpoint.method} ${endpoint.path} performs nothing, and does through GraphQL what REST does`, async () => {
        const request = () => calls[endpoint.operation](gateway(), endpoint);
        // The lines of a singleton have one parent: the second request finds what the first one found.
        const isShared = await withoutLines(gateway(), endpoint);
        const [performed, other] = [await request(), isShared ? undefined : await request()];
        const rest = await send(gateway(), { ...endpoint, ...performed });
        expect(rest.status).toBeLessThan(300);
        if (isShared) await withoutLines(gateway(), endpoint);
        const explained = other ?? (await request());

        const before = await everything(gateway());
        const { status, body } = await send(gateway(), {
          ...endpoint,
          ...explained,
          query: [...explained.query, explain],
        });
        expect(status, JSON.stringify(body)).toBe(200);
        expect(await everything(gateway())).toEqual(before);

        const { operation, document, variables, kind, way, cost, statements, graphiql } = body.explanation;
        expect(operation).toBe(rest.headers.get('x-graphql-operation'));
        expect(kind).toBe(endpoint.method === 'GET' ? 'query' : 'mutation');
        expect(way).toBe('sql');
        expect(cost).toEqual({ requested: expect.any(Number), limit: 100_000 });
        if (kind === 'query') expect(statements[0]).toMatch(/^SELECT/);
        const opened = new URLSearchParams(graphiql.replace('/graphql#', ''));
        expect(opened.get('query')).toBe(document);

        const answer = await gateway().graphql(document, variables);
        expect(answer.body.errors).toBeUndefined();
        expect(alike(inRestForm(answer.body.data))).toEqual(alike(rest.body));
        const { record } = answer.body.data;
        const version = (record?.record ?? record)?._version;
        if (version !== undefined) expect(rest.headers.get('etag')).toBe(`"${version}"`);
      });
    }
  });
});

test('every endpoint is among them', () => {
  const asked = [...documentedEndpoints, ...decidedEndpoints].map(({ method, path }) => `${method} ${path}`).sort();
  // Histories, which the legacy documentation does not have, are tested in test/journal/rest.test.ts.
  const others = restOperations.filter(({ operation }) => operation !== 'history');
  expect(others.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(asked);
});

const explain = '_explain=graphql';

/** The journal, to which every change is written, and the stored requests with an Idempotency-Key. */
const everything = async ({ database: { client } }: TestGateway) => [
  await client.journalEntry.count(),
  await client.idempotentRequest.count(),
];
