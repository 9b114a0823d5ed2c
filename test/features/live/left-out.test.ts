/** Endpoints that features bring are there with them, and gone without them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { history } from '../../../src/features/history/index.js';
import { live } from '../../../src/features/live/index.js';
import { features } from '../../../src/features.js';
import { readConfig } from '../../../src/gateway/config/config.js';
import { servedFeatures } from '../../../src/gateway/feature.js';
import { createSchema } from '../../../src/graphql/create-schema.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';

let whole: TestGateway;
let without: TestGateway;
beforeAll(async () => {
  const left = features.filter((feature) => feature !== live && feature !== history);
  const others = await servedFeatures(left, readConfig({}, features));
  const schema = createSchema({ resources, features: others });
  [whole, without] = await Promise.all([startGateway(), startGateway({ features: others, schema })]);
});
afterAll(() => Promise.all([whole.close(), without.close()]));

test.each([
  ['/api/events', 'Events'],
  ['/api/changes', 'Changes'],
])('%s', async (path, name) => {
  for (const [gateway, isThere] of [
    [whole, true],
    [without, false],
  ] as const) {
    const { body: described } = await gateway.rest('GET', '/openapi.json');
    expect(path in described.paths).toBe(isThere);
    const { body: operations } = await gateway.rest('GET', '/operations.json');
    expect(name in operations).toBe(isThere);
    const authorization = `Bearer ${gateway.key}`;
    const { status, headers } = await fetch(gateway.url + path, { method: 'OPTIONS', headers: { authorization } });
    expect([status, headers.get('allow') !== null]).toEqual(isThere ? [204, true] : [404, false]);
  }
});
