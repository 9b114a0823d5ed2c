/** A key that somebody sends in a wrong place does not stand in the log. */
import { expect, onTestFinished, test } from 'vitest';
import { newSecret } from '../../src/access/secret.js';
import { freshDatabaseUrl } from '../support/database.js';
import { startProcess } from '../support/process.js';

test('its secret part is left out of every line', async () => {
  const { id, secret } = newSecret();
  const gateway = startProcess({ DATABASE_URL: await freshDatabaseUrl('sqlite'), API_KEY: secret });
  onTestFinished(() => void gateway.child.kill('SIGKILL'));
  const address = await gateway.ready();
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'x-request-id': secret };
  for (const path of ['/key=', '/%62rg', '/api/', '/api/crm/industry-type/']) await fetch(`${address}${path}${secret}`);
  for (const underscore of ['%5F', '%255f']) await fetch(`${address}/x${secret.replaceAll('_', underscore)}y`);
  await fetch(`${address}/api/crm/industry-type`, { headers });
  await fetch(`${address}/graphql`, { method: 'POST', headers, body: `{"query": "query ${secret} { __typename }"}` });
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  expect(gateway.log().match(new RegExp(`${id}_…`, 'g'))?.length).toBeGreaterThanOrEqual(6);
  expect(gateway.log().toLowerCase()).not.toContain(secret.slice(id.length + 1));
});
