/** What people try first on another service: the refusal names what to do here. */
import { beforeAll, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const path = '/api/assets/asset-repair';
const body = { asset: 'LATHE-7', failure_date: '2026-11-20' };

test('lines within their parent: the endpoint of the lines', async () => {
  const created = await gateway.rest('POST', path, { ...body, consumed_items: [{ item_code: 'OIL' }] });
  expect([created.status, created.body.error.code]).toEqual([400, 'parameter_unknown']);
  expect(created.body.error.message).toContain('POST /api/assets/asset-repair-consumed-item with its `parent_id`');
  const changed = await gateway.rest('PATCH', `${path}/x`, { consumed_items: [] });
  expect(changed.body.error.message).toBe(created.body.error.message);
});

test('PUT: PATCH', async () => {
  const { status, body, headers } = await gateway.rest('PUT', `${path}/x`, {});
  expect([status, body.error.code, headers.get('allow')]).toEqual([
    405,
    'method_not_allowed',
    expect.stringMatching(/PATCH/),
  ]);
  expect(body.error.message).toContain('send PATCH');
});

test.each([
  ['PUT', path, 'This path takes GET, POST, not PUT: that is done at the path of a record, which ends with its id.'],
  [
    'DELETE',
    path,
    'This path takes GET, POST, not DELETE: that is done at the path of a record, which ends with its id.',
  ],
  ['GET', `${path}/x/submit`, 'This path takes POST, not GET.'],
  [
    'PATCH',
    '/api/accounts/subscription-settings',
    'This path takes GET, not PATCH: that is done at the path of a record, which ends with its id.',
  ],
])('%s %s: what the path takes', async (method, at, message) => {
  const { status, body } = await gateway.rest(method, at, method === 'GET' ? undefined : {});
  expect([status, body.error.message]).toEqual([405, message]);
});

test.each(['submitted', 'cancelled'])('a new record that is %s: submit and cancel', async (status) => {
  const answer = await gateway.rest('POST', path, { ...body, status });
  expect([answer.status, answer.body.error.param]).toEqual([400, 'status']);
  expect(answer.body.error.message).toContain(`POST ${path}/{id}/submit, and /cancel`);
});

const canary = 'canary-of-a-key';
test.each([
  ['in X-API-Key', '', { 'x-api-key': canary }, '`x-api-key` is not read'],
  ['as Basic', '', { authorization: `Basic ${canary}` }, '`Basic` is not taken'],
  ['without Bearer', '', { authorization: canary }, 'the word `Bearer` and a space belong before it'],
  ['as Token', '', { authorization: `Token ${canary}` }, 'the word `Bearer`'],
  ['twice behind Bearer', '', { authorization: `Bearer Bearer ${canary}` }, 'belongs one text'],
  ['with a second one', '', { authorization: `Bearer ${canary} ${canary}` }, 'belongs one text'],
  ['in two headers', '', { authorization: `Bearer ${canary}, Bearer ${canary}` }, 'belongs one text'],
  ['empty', '', { authorization: 'Bearer ' }, 'behind `Bearer` there is none'],
  ['in the address', `?api_key=${canary}`, {}, 'not in the address'],
  ['in a later parameter', `?a=1&access_token=${canary}`, {}, 'not in the address'],
])('a key %s: how to send it; it is neither repeated nor logged', async (_case, query, headers, hint) => {
  for (const target of [path, '/graphql']) {
    const answer = await gateway.rest('POST', target + query, {}, { authorization: '', ...headers });
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('Authorization: Bearer <API_KEY>')]);
    expect(answer.text).toContain(hint);
    expect(answer.text).not.toContain(canary);
  }
  expect(gateway.logLines.join('')).not.toContain(canary);
});

test.each([`"${canary}"`, `'${canary}'`, `<${canary}>`, `{{${canary}}}`, `$${canary}`, `\${${canary}}`, `%${canary}%`])(
  'a key sent as %s is not said to have ended',
  async (sent) => {
    for (const target of [path, '/graphql']) {
      const answer = await gateway.rest('POST', target, {}, { authorization: `Bearer ${sent}` });
      expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('belongs the key itself')]);
      expect(answer.text).not.toContain(canary);
    }
  },
);
