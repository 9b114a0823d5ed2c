import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lineForPeople, loggedError } from '../../src/common/output.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const linesOf = (requestId: string) =>
  gateway.logLines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);

describe('the log', () => {
  test('has one line a request: method, path without query, status, milliseconds, request id, key id and what was asked', async () => {
    const headers = { 'x-request-id': 'logged-1' };
    await gateway.rest('GET', '/api/assets/asset-repair?limit=5&secret=in-the-query', undefined, headers);
    expect(linesOf('logged-1')).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        method: 'GET',
        path: '/api/assets/asset-repair',
        status: 200,
        ms: expect.any(Number),
        requestId: 'logged-1',
        keyId: 'environment',
        operation: 'AssetRepairList',
        kind: 'query',
        way: 'sql',
        msg: 'request',
      },
    ]);
  });

  test('names the operation of an endpoint also where it is refused or explained', async () => {
    for (const [path, expected] of [
      ['/api/changes?limit=0', { operation: 'Changes', reason: 'parameter_invalid' }],
      ['/api/changes?_explain=graphql', { operation: 'Changes', status: 200 }],
      ['/api/events?nothing=1', { operation: 'Events', reason: 'parameter_unknown' }],
    ] as const) {
      await gateway.rest('GET', path, undefined, { 'x-request-id': path.replace(/\W/g, '-') });
      expect(linesOf(path.replace(/\W/g, '-'))).toMatchObject([expected]);
    }
  });

  test('says nothing of an error where OPTIONS asks for the methods of a path', async () => {
    for (const path of ['/api/changes', '/api/events', '/api/assets/asset-repair', '/api/assets/asset-repair/x']) {
      const requestId = `options${path.replace(/\W/g, '-')}`;
      await gateway.rest('OPTIONS', path, undefined, { 'x-request-id': requestId });
      const [line] = linesOf(requestId);
      expect(line).toMatchObject({ status: 204, path });
      expect(line).not.toHaveProperty('errors');
      expect(line).not.toHaveProperty('reason');
    }
  });

  test('says of an operation what it was, how it was answered and what went wrong, and no value of it', async () => {
    const asked = async (requestId: string, query: string, variables = {}, operationName?: string) => {
      const headers = { 'x-request-id': requestId };
      await gateway.rest('POST', '/graphql', { query, variables, operationName }, headers);
      return linesOf(requestId).at(-1);
    };
    const remove = 'mutation Remove($id: ID!) { deleteIndustryType(id: $id) { deletedId } }';
    expect(await asked('asked-1', remove, { id: 'canary-of-an-id' })).toMatchObject({
      operation: 'Remove',
      kind: 'mutation',
      way: 'sql',
      errors: ['NOT_FOUND'],
      status: 200,
    });
    expect(await asked('asked-2', '{ __schema { queryType { name } } }')).toMatchObject({ way: 'introspection' });
    expect(await asked('asked-3', '{ canaryOfAField }')).toMatchObject({ errors: ['GRAPHQL_VALIDATION_FAILED'] });
    const long = `Q${'q'.repeat(254)}`;
    expect((await asked('asked-4', `query ${long} { assetRepairs { totalCount } }`)).operation).toHaveLength(100);
    expect(gateway.logLines.join('')).not.toContain('canary-of-an-id');
    expect(gateway.logLines.join('')).not.toContain('canaryOfAField');
  });

  test('says that a stored answer was sent again, and why REST refused', async () => {
    const create =
      'mutation Add($input: CreateIndustryTypeInput!) { createIndustryType(input: $input) { record { id } } }';
    for (const requestId of ['again-1', 'again-2']) {
      const headers = { 'x-request-id': requestId, 'idempotency-key': 'log-again' };
      await gateway.graphql(create, { input: { industry: 'Steel' } }, headers);
    }
    expect(linesOf('again-2').at(-1)).toMatchObject({ operation: 'Add', kind: 'mutation', way: 'replay' });
    await gateway.rest('GET', '/api/crm/industry-type/none', undefined, { 'x-request-id': 'again-3' });
    expect(linesOf('again-3').at(-1)).toMatchObject({
      operation: 'IndustryTypeRetrieve',
      way: 'sql',
      errors: ['NOT_FOUND'],
      status: 404,
    });
  });

  test('names no key where none was good', async () => {
    await gateway.rest('GET', '/api/assets/asset-repair', undefined, {
      'x-request-id': 'logged-2',
      authorization: 'Bearer canary-of-a-wrong-key',
    });
    expect(linesOf('logged-2')).toMatchObject([{ status: 401 }]);
    expect(linesOf('logged-2')[0]).not.toHaveProperty('keyId');
  });

  test('holds neither keys nor queries nor bodies', async () => {
    const body = { asset: 'canary-of-a-body', failure_date: '2026-01-01' };
    await gateway.rest('POST', '/api/assets/asset-repair', body);
    await gateway.rest('POST', '/api/assets/asset-repair', { ...body, nonsense: 'canary-of-a-body' });
    await gateway.rest('POST', '/api/assets/asset-repair', '{"broken": "canary-of-a-body"');
    await gateway.graphql('{ canaryOfAQuery }', { canary: 'canary-of-a-body' });
    await gateway.rest('GET', `/graphql?query=${encodeURIComponent('{ canaryOfAQuery }')}`);
    const log = gateway.logLines.join('');
    expect(log).not.toContain('canary');
    expect(log).not.toContain(gateway.key);
    expect(log).not.toContain('in-the-query');
  });

  test('says of a request whose client went away that it was aborted', async () => {
    const leaving = request(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.key}`,
        'content-type': 'application/json',
        'content-length': 1000,
        'x-request-id': 'logged-3',
      },
    });
    leaving.on('error', () => {});
    leaving.write('{"query":');
    await once(leaving, 'socket');
    await sleep(50);
    leaving.destroy();
    await expect.poll(() => linesOf('logged-3')).toMatchObject([{ level: 'warn', aborted: true }]);
  });

  test('keeps the lines of health checks below info', async () => {
    await gateway.rest('GET', '/healthz', undefined, { 'x-request-id': 'logged-4' });
    expect(linesOf('logged-4')).toMatchObject([{ level: 'debug' }]);
  });
});

describe('an error in the log', () => {
  test('has its class, its stack and its causes', () => {
    const error = new RangeError('too far', { cause: new Error('the root') });
    expect(loggedError(error)).toEqual({
      type: 'RangeError',
      message: 'too far',
      stack: expect.stringContaining('log.test.ts'),
      cause: { type: 'Error', message: 'the root', stack: expect.stringMatching(/^\s+at /) },
    });
  });

  test('loses the values Prisma quotes', async () => {
    const settings = gateway.database.client.currencyExchangeSettings;
    const wrong = { data: { id: 'x', accessKey: 'canary-of-a-credential' } };
    const error = await Reflect.apply(settings.create, settings, [wrong]).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('canary-of-a-credential');
    const logged = loggedError(error);
    expect(JSON.stringify(logged)).not.toContain('canary');
    expect(logged).toMatchObject({ type: 'PrismaClientValidationError', message: expect.stringContaining('missing') });
  });
});

describe('at a terminal', () => {
  test('a request is one short line', () => {
    const line = { level: 'info', time: '2026-01-01T10:20:30.000Z', msg: 'request', requestId: 'r1', keyId: 'k1' };
    expect(lineForPeople(JSON.stringify({ ...line, method: 'GET', path: '/api', status: 200, ms: 3.1 }))).toMatch(
      /^\d\d:\d\d:\d\d info {2}GET \/api 200 3\.1 ms {2}r1$/,
    );
    const asked = {
      method: 'POST',
      path: '/graphql',
      status: 200,
      ms: 3.1,
      operation: 'Save',
      way: 'sql',
      errors: ['BUSY'],
    };
    expect(lineForPeople(JSON.stringify({ ...line, ...asked }))).toMatch(/ 3\.1 ms {2}Save \(sql\) BUSY {2}r1$/);
    const slow = {
      ...line,
      level: 'warn',
      msg: 'Slow operation',
      ms: 1204,
      operation: 'Sought',
      way: 'sql',
      plan: ['SCAN'],
    };
    expect(lineForPeople(JSON.stringify(slow))).toMatch(
      / warn {2}Slow operation Sought \(sql\) 1204 ms {"plan":\["SCAN"\]}$/,
    );
  });

  test('an error brings its message and frames', () => {
    const err = { type: 'Error', message: 'no such thing', stack: '    at somewhere' };
    const line = { level: 'error', time: '2026-01-01T10:20:30.000Z', msg: 'Failed', err };
    expect(lineForPeople(JSON.stringify(line))).toMatch(/ error Failed\n {2}Error: no such thing\n {4}at somewhere$/);
  });
});
