/**
 * For every invalid input: the answer is no internal error, nothing is stored, and the answer names the wrong value by
 * its name on that surface.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { providers, shareOf } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { faultsOf } from './faults.js';
import { footprint } from './footprint.js';
import { graphqlArguments } from './graphql-arguments.js';
import { graphqlDocuments } from './graphql-documents.js';
import { graphqlValues } from './graphql-values.js';
import { makeTargets, type Targets } from './places.js';
import { type RawAnswer, type RawRequest, rawRequest } from './raw-request.js';
import { restBodies } from './rest-bodies.js';
import { restLists } from './rest-lists.js';
import { restPaths } from './rest-paths.js';
import type { ValueCase } from './value-case.js';
import { reportedName, requestFor } from './value-requests.js';
import { wrongBodies } from './wrong-bodies.js';
import { wrongValues } from './wrong-values.js';

const operations = ['create', 'update'] as const;
const values = [...wrongValues, ...wrongBodies].flatMap((value) =>
  operations
    .filter((operation) => (value.by ?? operation) === operation)
    .map((operation) => ({ ...value, operation, what: `${operation}: ${value.what}` })),
);

describe.each(providers)('bad input on %s', (provider) => {
  let gateway: TestGateway;
  let targets: Targets;
  let ids: Record<string, string>;
  let present: Record<string, string>;

  beforeAll(async () => {
    gateway = await startGateway({ database: provider });
    targets = await makeTargets(gateway);
    const { repair, item } = targets;
    const line = { asset_repair_id: repair.id, item_code: 'NUT', warehouse: 'Main' };
    const { body: otherItem } = await gateway.rest('POST', item.resource.base, line);
    ids = { repair: repair.id, item: item.id, otherItem: otherItem.id };
    present = await footprint(gateway.database);
  });

  afterAll(async () => {
    await gateway.close();
    expect(faultsOf(gateway)).toEqual([]);
  });

  describe('REST', () => {
    test.each(named(provider, values))('%s', async (_, { operation, ...value }) => {
      const target = targets[value.on];
      const { status, error } = restError(await refusal(requestFor('REST', operation, target, value)));
      expect(status).toBe(400);
      expectProblems(error.errors, value, (name) => reportedName('REST', target, name));
      expect(error).toMatchObject({ code: error.errors[0]?.code, param: error.errors[0]?.param });
      expect(error.message).toContain(value.says ?? '');
    });

    test.each(named(provider, [...restBodies, ...restPaths, ...restLists]))(
      '%s',
      async (_, { status, code, param, allow, ...request }) => {
        const answer = await refusal(request);
        const { error } = restError(answer);
        expect({ status: answer.status, code: error.code, param: error.param }).toEqual({ status, code, param });
        expect(answer.headers.allow).toBe(allow);
        expect(answer.text).not.toContain('ECHO');
      },
    );
  });

  describe('GraphQL', () => {
    test.each(named(provider, values))('%s', async (_, { operation, ...value }) => {
      const target = targets[value.on];
      const [error] = graphqlErrors(await refusal(requestFor('GraphQL', operation, target, value)));
      expect(error?.extensions.code).toBe('BAD_USER_INPUT');
      expectProblems(error?.extensions.errors ?? [], value, (name) => reportedName('GraphQL', target, name));
      expect(error?.message).toContain(value.says ?? '');
    });

    test.each(named(provider, [...graphqlValues, ...graphqlArguments, ...graphqlDocuments]))(
      '%s',
      async (_, { request, code, names, says = '', status = 200 }) => {
        const answer = await refusal(request);
        const [error] = graphqlErrors(answer);
        expect({ status: answer.status, code: error?.extensions.code }).toEqual({ status, code });
        if (names) expect(error?.extensions.errors?.map(({ param }) => param)).toEqual(names);
        if (code === 'GRAPHQL_VALIDATION_FAILED') expect(error?.locations).not.toHaveLength(0);
        expect(error?.message).toContain(withIds(says));
        expect(answer.text).not.toContain('ECHO');
      },
    );
  });

  /** The answer to a request that must change nothing. */
  async function refusal({ path, body, ...request }: RawRequest): Promise<RawAnswer> {
    const before = present;
    const answer = await rawRequest(gateway, {
      ...request,
      path: withIds(path),
      body: typeof body === 'string' ? withIds(body) : body,
    });
    present = await footprint(gateway.database);
    expect(present).toEqual(before);
    return answer;
  }

  function withIds(text: string): string {
    return text.replace(/\$(repair|item|otherItem)\b/g, (_, name: string) => ids[name] ?? '');
  }
});

/**
 * The cases for this database, each with its name as the name of the test. Refusals before the database is used are the
 * same on both.
 */
function named<Case extends { what: string }>(provider: Provider, cases: readonly Case[]): [string, Case][] {
  return shareOf(provider, cases).map((one) => [one.what, one]);
}

interface RestError {
  type: string;
  code: string;
  message: string;
  param: string | null;
  errors: Reported[];
}

interface GraphqlError {
  message: string;
  locations?: unknown[];
  extensions: { code: string; errors?: Reported[] };
}

interface Reported {
  param: string;
  code: string;
  message: string;
}

function restError({ status, text }: RawAnswer): { status: number; error: RestError } {
  const { error } = JSON.parse(text) as { error: RestError };
  return { status, error };
}

function graphqlErrors({ text }: RawAnswer): GraphqlError[] {
  const { errors, data } = JSON.parse(text) as { errors: GraphqlError[]; data?: unknown };
  // A refused field is null, also inside of a record.
  expect(JSON.stringify(data ?? null)).toMatch(/^(null|\{("\w+":(null|\{"\w+":null\}),?)+\})$/);
  return errors;
}

/** All problems of the case are reported and no others, and every message begins with the name of the value. */
function expectProblems(reported: Reported[], { problems }: ValueCase, nameOf: (name: string) => string): void {
  const expected = Object.entries(problems).flatMap(([code, names]) => names.map((name) => `${code} ${nameOf(name)}`));
  expect(reported.map(({ code, param }) => `${code} ${param}`).sort()).toEqual(expected.sort());
  for (const { param, message } of reported) expect(message).toContain(`\`${param}\``);
}
