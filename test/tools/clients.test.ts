/** Clients that read the OpenAPI description when they run: swagger-client, and Postman's collection with newman. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Described, program, startDescribed } from './described.js';

let described: Described;
beforeAll(async () => {
  described = await startDescribed();
});
afterAll(() => described?.close());

test('swagger-client, which Swagger UI is made of, resolves the description and creates a record', async () => {
  const { url, key } = described.gateway;
  const { seconds, ...answer } = JSON.parse(await program('swagger-client', [url, key]));
  console.log(`swagger-client resolved the description in ${seconds.toFixed(1)} s of processor time`);
  expect(answer).toEqual({ errors: [], groups: 10, status: 201, asset: 'LATHE-7' });
});

test('newman runs every GET of the collection that Postman makes of the description, and a create', async () => {
  const { url, key } = described.gateway;
  const sent: Sent[] = JSON.parse(await program('newman', [described.openapi, url, key]));
  expect(sent.filter(({ method }) => method === 'POST').map(({ status }) => status)).toEqual([201]);
  const reads = sent.filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThan(90);
  const surprising = reads.filter(({ url, status }) => status !== expected(new URL(url)));
  expect(surprising).toEqual([]);
});

/** The ids are examples, and so is the position: they are nowhere. */
function expected({ pathname }: URL): number {
  if (pathname === '/api/changes') return 400;
  return /_[0-9a-z]{26}$/.test(pathname) ? 404 : 200;
}

interface Sent {
  method: string;
  url: string;
  status: number;
}
