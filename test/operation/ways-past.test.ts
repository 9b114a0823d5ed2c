/**
 * Forms of a request that once bypassed admission, each tested with an operation that SQL answers and one that the
 * resolvers answer.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { databaseInTurn } from '../support/database.js';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

const databases = databaseInTurn(import.meta.filename);

const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
const right = { asset: 'LATHE-7', failureDate: '2026-11-20' };

describe.each(databases.flatMap((database) => [true, false].map((compiled) => ({ database, compiled }))))(
  'on $database, compiled: $compiled',
  ({ database, compiled }) => {
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await sharedGateway(database, compiled);
    });

    const total = async () => (await gateway.rest('GET', '/api/assets/asset-repair')).body.total;
    const post = (body: object, headers = {}) => gateway.rest('POST', '/graphql', body, headers);

    test.each([[''], [null], [undefined]])('operationName %j: variables are checked', async (operationName) => {
      const before = await total();
      const wrong = { ...right, status: 'submitted', repairCost: 'abc' };
      const { body } = await post({ query: create, operationName, variables: { input: wrong } });
      expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
      expect(body).not.toHaveProperty('data');
      expect(await total()).toBe(before);
    });

    test.each([[''], [null], [undefined]])('operationName %j: the cost is limited', async (operationName) => {
      const lines = 'consumedItems(limit: 1000) { id itemCode warehouse }';
      const query = `query ($n: Int) { assetRepairs(first: $n) { nodes { id ${lines} } } }`;
      const { status, body } = await post({ query, operationName, variables: { n: 60 } });
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'QUERY_TOO_COMPLEX']);
    });

    test.each([[''], [null], [undefined]])(
      'operationName %j: an Idempotency-Key writes once',
      async (operationName) => {
        const before = await total();
        const headers = { 'idempotency-key': `key-${String(operationName)}` };
        const request = { query: create, operationName, variables: { input: right } };
        const answers = [await post(request, headers), await post(request, headers)];
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        expect(answers[1]?.text).toBe(answers[0]?.text);
        expect(await total()).toBe(before + 1);
      },
    );

    test.each(['GET', 'HEAD'])('%s performs no mutation, with variables or with literals', async (method) => {
      const before = await total();
      const literal = 'mutation { createAssetRepair(input: { asset: "LATHE-7", failureDate: "x" }) { record { id } } }';
      for (const operationName of ['', undefined]) {
        for (const [query, variables] of [
          [create, JSON.stringify({ input: right })],
          [literal, '{}'],
        ] as const) {
          const search = new URLSearchParams({ query, variables, ...(operationName === '' ? { operationName } : {}) });
          const { status, headers } = await gateway.rest(method, `/graphql?${search}`, undefined, { accept: '*/*' });
          expect([status, headers.get('allow')]).toEqual([405, 'POST']);
        }
      }
      expect(await total()).toBe(before);
    });

    test.each(['text/event-stream', 'multipart/mixed', 'image/png'])(
      'a mutation whose answer could only be %s is not performed',
      async (accept) => {
        const before = await total();
        for (const headers of [{ accept }, { accept, 'idempotency-key': `key-${accept}` }]) {
          const { status, body } = await post({ query: create, variables: { input: right } }, headers);
          expect([status, body.errors[0].extensions.reason]).toEqual([406, 'not_acceptable']);
        }
        expect(await total()).toBe(before);
      },
    );

    test('a subscription is refused with a code', async () => {
      const { status, body } = await post({ query: 'subscription { a }' });
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'OPERATION_RESOLUTION_FAILURE']);
    });
  },
);
