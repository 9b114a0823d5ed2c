import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRoutes } from '../../rest/endpoints.js';
import { Rest } from '../../rest/rest.js';
import { Current } from '../../src/common/kept.js';
import { Seal } from '../../src/common/seal.js';
import { createAdmission } from '../../src/graphql/operation/admission.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { restOperations } from '../support/rest-operations.js';
import { schema } from '../support/schema.js';
import { seenByAll } from '../support/seen-by-all.js';

describe.each(databaseInTurn(import.meta.filename))('a fault of ours on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
    await gateway.database.client.$executeRawUnsafe('ALTER TABLE "IndustryType" RENAME TO "Elsewhere"');
  });
  afterAll(() => gateway.close());

  test.each([
    ['GET', ''],
    ['GET', '/industry-type_x'],
    ['POST', ''],
    ['PATCH', '/industry-type_x'],
  ])('%s industry-type%s is masked, and its cause is in the log under the request id', async (method, suffix) => {
    const body = method === 'GET' ? undefined : { industry: 'Mining' };
    const answer = await gateway.rest(method, `/api/crm/industry-type${suffix}`, body);
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    expect(answer.text).not.toContain('IndustryType');
    const lines = gateway.logLines.filter((line) => line.includes(answer.body.error.request_id));
    expect(lines.find((line) => JSON.parse(line).err?.message.includes('IndustryType'))).toBeDefined();
  });
});

test('an error outside of the operation is passed on to the HTTP server, which logs it, and is not answered here', async () => {
  const { database, config, close } = await startGateway();
  const admission = createAdmission(schema, { costLimit: 100_000 });
  const changes = { rules: {}, observers: [], locksSubmitted: false, writers: [], journal: false as const };
  const log = pino({ level: 'silent' });
  const unexpected = () => Promise.reject(new TypeError('ours'));
  const rest = new Rest(restOperations, {
    ...{ schema, admission, config, execute: unexpected },
    wayOf: () => ({ way: 'resolvers' }),
    trustedDocuments: Current.of(undefined),
    joined: { called: () => undefined, refusal: () => undefined },
    features: [],
    inForce: Current.of(undefined),
  });
  const identity = { keyId: 'key', name: 'key', scopes: ['*'], seal: new Seal('key') };
  const context = {
    changes,
    database: seenByAll(database),
    identity,
    requestId: 'r',
    log,
  };
  const asked = { method: 'GET', path: '/api/crm/industry-type/x' };
  const route = createRoutes(restOperations)(asked.method, asked.path);
  const request = { ...asked, route, query: new URLSearchParams(), headers: {}, body: undefined, refusal: undefined };
  await expect(rest.handle(request, context)).rejects.toThrow('ours');
  await close();
});
