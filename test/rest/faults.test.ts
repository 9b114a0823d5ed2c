import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRestAdmission } from '../../rest/admit.js';
import { createRestHandler } from '../../rest/create-rest.js';
import { createRoutes } from '../../rest/route.js';
import { Seal } from '../../src/common/seal.js';
import { createAdmission } from '../../src/graphql/operation/admission.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { restOperations } from '../support/rest-operations.js';
import { schema } from '../support/schema.js';

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
  const { database, close } = await startGateway();
  const admission = createAdmission(schema, { costLimit: 100_000 });
  const admit = createRestAdmission({ schema, admission, operations: restOperations });
  const handle = createRestHandler(admit, () => Promise.reject(new TypeError('ours')));
  const identity = { keyId: 'key', name: 'key', scopes: ['*'], seal: new Seal('key') };
  const context = {
    changes: { rules: {}, observers: [], locksSubmitted: false, search: false, journal: false },
    database,
    identity,
    requestId: 'r',
    log: pino({ level: 'silent' }),
  };
  const asked = { method: 'GET', path: '/api/crm/industry-type/x' };
  const route = createRoutes(restOperations)(asked.method, asked.path);
  const request = { ...asked, route, query: new URLSearchParams(), headers: {}, body: undefined };
  await expect(handle(request, context)).rejects.toThrow('ours');
  await close();
});
