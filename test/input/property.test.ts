/** For random input no answer is an internal error, and both surfaces accept, refuse and store the same values. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Field } from '../../src/model/field.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resourceOf } from '../support/resources.js';
import { runs } from '../support/thorough.js';
import { type RandomBody, randomBody } from './arbitrary-body.js';
import { randomOperation } from './arbitrary-operation.js';
import { randomRequest } from './arbitrary-request.js';
import { faultsOf } from './faults.js';
import { rawRequest } from './raw-request.js';
import { makeTwins, type Twins } from './twins.js';
import { requestFor, type Surface } from './value-requests.js';

const numRuns = runs(20, 3000);
const timeout = 120_000 + numRuns * 400;

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  let gateway: TestGateway;
  let twins: Twins;

  beforeAll(async () => {
    gateway = await startGateway({ database: provider });
    twins = await makeTwins(gateway);
  });

  afterAll(async () => {
    await gateway.close();
    expect(faultsOf(gateway)).toEqual([]);
  });

  test('both surfaces take and refuse the same bodies, and store the same', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(randomBody, async (body) => {
        const rest = await write('REST', body);
        const graphql = await write('GraphQL', body);
        expect(graphql).toEqual(rest);
        if (rest.refused && !rest.refused.includes('invalid_state')) expect(body.isRight).toBe(false);
        if (rest.stored) {
          expect(body.isRight).toBe(true);
          expect(rest.stored).toMatchObject(expectedOf(body));
        }
      }),
      { numRuns },
    );
  });

  test('no request to REST is answered with a fault', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(randomRequest(ids()), async (request) => {
        const { status, text } = await rawRequest(gateway, request);
        expect(status).toBeLessThan(500);
        const { error } = JSON.parse(text);
        expect(typeof error?.code).toBe(status < 400 ? 'undefined' : 'string');
      }),
      { numRuns },
    );
  });

  test('no operation of GraphQL is answered with a fault', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(randomOperation(ids()), async ({ query, variables }) => {
        const body = `{"query": ${JSON.stringify(query)}, "variables": ${variables}}`;
        const answer = await gateway.rest('POST', '/graphql', body);
        expect(answer.status).toBeLessThan(500);
        const codes: string[] = (answer.body.errors ?? []).map(({ extensions }: GraphqlError) => extensions.code);
        expect(codes.filter((code) => faultCodes.includes(code))).toEqual([]);
      }),
      { numRuns },
    );
  });

  /** Sends a body through one surface. The stored record is without the values in which twins differ. */
  async function write(surface: Surface, { model, operation, members }: RandomBody): Promise<Outcome> {
    const resource = resourceOf(model);
    const target = twins.get(resource)?.[surface];
    if (!target) throw new Error(`${model} has no twins`);
    const given = members.map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(', ');
    const { method, path, body } = requestFor(surface, operation, target, { members: given });
    const answer = await gateway.rest(method, path, body);
    expect(answer.status).toBeLessThan(500);
    const refused = surface === 'REST' ? refusalOfRest(answer.body) : refusalOfGraphql(answer.body, resource.fields);
    if (refused) return { refused: refused.toSorted() };

    const [made] =
      surface === 'REST'
        ? [answer.body]
        : Object.values<{ record: { id: string } }>(answer.body.data).map(({ record }) => record);
    const id = operation === 'update' ? target.id : made?.id;
    const read = await gateway.rest('GET', resource.kind === 'singleton' ? resource.base : `${resource.base}/${id}`);
    const { id: _, created_at, updated_at, ...stored } = read.body;
    for (const { name, restName } of resource.fields) if (name === resource.scope) delete stored[restName];
    // Twins under a singleton are siblings.
    if (resource.parents[0]?.resource.kind === 'singleton') delete stored.idx;
    return { stored };
  }

  function ids(): string[] {
    return [...twins.values()].flatMap(({ REST, GraphQL }) => [REST.id, GraphQL.id]);
  }
});

/** The outcome for a body: refused for these names or for this reason, or stored as this record. */
interface Outcome {
  refused?: string[];
  stored?: Record<string, unknown>;
}

interface Reported {
  param: string;
}

interface GraphqlError {
  extensions: { code: string; reason?: string; errors?: Reported[] };
}

const faultCodes = ['INTERNAL_SERVER_ERROR', 'UNAVAILABLE', 'TIMEOUT'];

function refusalOfRest({ error }: { error?: { code: string; errors: Reported[] } }): string[] | undefined {
  if (!error) return undefined;
  return error.errors.length > 0 ? error.errors.map(({ param }) => param) : [error.code];
}

/** By the names of the document. */
function refusalOfGraphql({ errors }: { errors?: GraphqlError[] }, fields: readonly Field[]): string[] | undefined {
  if (!errors) return undefined;
  const { code, reason = code, errors: problems } = errors[0]?.extensions ?? { code: 'no extensions' };
  if (!problems) return [reason];
  const names = new Map(fields.map(({ name, restName }) => [name, restName]));
  return problems.map(({ param }) => {
    const name = param.replace(/^input\./, '');
    return names.get(name) ?? name;
  });
}

/**
 * The expected record after a valid body: its values, with the default for null. The place of a line is tested
 * elsewhere.
 */
function expectedOf({ model, members }: RandomBody): Record<string, unknown> {
  const fields = new Map(resourceOf(model).fields.map((field) => [field.restName, field]));
  return Object.fromEntries(
    members
      .filter(([name]) => name !== 'idx')
      .map(([name, json]) => {
        const value: unknown = JSON.parse(json) ?? fields.get(name)?.default ?? null;
        return [name, Object.is(value, -0) ? 0 : value];
      }),
  );
}
