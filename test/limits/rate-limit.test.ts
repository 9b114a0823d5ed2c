/** RATE_LIMIT: requests per key and minute, on both surfaces and across processes. */
import { describe, expect, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { createRateLimit } from '../../src/gateway/limits/rate-limit.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { type Answer, startGateway } from '../support/gateway.js';

/** If a test began near the end of a minute, the counts would change in the middle of it. */
async function earlyInTheMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 8_000) await new Promise((done) => setTimeout(done, left + 100));
}

const rateOf = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset', 'policy'].map((name) => headers.get(`ratelimit-${name}`));

describe.each(providers)('a key that may make 5 requests a minute, on %s', (database) => {
  test('makes requests on either surface, sees how many are left, and is then refused until the minute is over', async () => {
    await earlyInTheMinute();
    const gateway = await startGateway({ database, env: { RATE_LIMIT: '5' } });
    const other = await createKey(gateway.database, { name: 'other', scopes: ['*'] });
    const answers = [
      await gateway.rest('GET', '/api/crm/industry-type'),
      await gateway.graphql('{ __typename }'),
      await gateway.rest('POST', '/api/crm/industry-type', { industry: 'Steel' }),
      await gateway.rest('GET', '/api/nowhere'),
      await gateway.graphql('{'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 404, 200]);
    expect(answers.map((answer) => rateOf(answer)[1])).toEqual(['4', '3', '2', '1', '0']);

    const rest = await gateway.rest('POST', '/api/crm/industry-type', { industry: 'never' });
    const graphql = await gateway.graphql(
      'mutation { createIndustryType(input: { industry: "never" }) { record { id } } }',
    );
    expect([rest.status, graphql.status]).toEqual([429, 429]);
    expect(rest.body.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limited', limit: 5 });
    expect(graphql.body.errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', reason: 'rate_limited', limit: 5 });
    for (const refused of [rest, graphql]) {
      const [limit, remaining, reset, policy] = rateOf(refused);
      expect([limit, remaining, policy]).toEqual(['5', '0', '5;w=60']);
      expect(Number(reset)).toBeGreaterThan(0);
      expect(Number(reset)).toBeLessThanOrEqual(60);
      expect(refused.headers.get('retry-after')).toBe(reset);
    }
    expect(await gateway.database.client.industryType.count()).toBe(1);

    // Another key has its own count, and requests with a wrong key are not counted.
    const free = await gateway.graphql('{ __typename }', {}, { authorization: `Bearer ${other.secret}` });
    expect(rateOf(free)[1]).toBe('4');
    expect((await gateway.graphql('{ __typename }', {}, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await gateway.rest('GET', '/healthz', undefined, { authorization: '' })).status).toBe(200);
    await gateway.close();
  });
});

test('without RATE_LIMIT nothing is counted, and no header mentions a rate', async () => {
  const gateway = await startGateway();
  const answer = await gateway.rest('GET', '/api/crm/industry-type');
  await gateway.close();
  expect(rateOf(answer)).toEqual([null, null, null, null]);
});

test('two processes on PostgreSQL let through as many as one, and share the minute to the last request', async () => {
  await earlyInTheMinute();
  const env = { DATABASE_URL: await freshDatabaseUrl('postgresql'), RATE_LIMIT: '100' };
  const gateways = [await startGateway({ env }), await startGateway({ env })];
  let upserts = 0;
  const statuses: number[] = [];
  for (let round = 0; round < 15; round++) {
    const answers = gateways.flatMap((gateway) => Array.from({ length: 5 }, () => gateway.graphql('{ __typename }')));
    statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
  }
  for (const gateway of gateways) upserts += gateway.statements.filter((sql) => sql.includes('"RateWindow"')).length;
  await Promise.all(gateways.map((gateway) => gateway.close()));
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  expect(upserts).toBeLessThan(90);
});

describe('the minutes of a key', () => {
  /** A lender with this many requests left, whose minute ends when the test says so. */
  function lender(limit: number) {
    let used = 0;
    const asked: number[] = [];
    const lend = async (_keyId: string, wanted: number) => {
      asked.push(wanted);
      const granted = Math.min(wanted, Math.max(0, limit - used));
      used += wanted;
      return { granted, used, ends: 60_000 };
    };
    return { lend, asked };
  }

  test('are borrowed in ever smaller parts, so that few requests wait and the last ones are shared exactly', async () => {
    const { lend, asked } = lender(6000);
    const count = createRateLimit(6000, lend);
    for (let request = 0; request < 6000; request++) expect((await count('key')).isAllowed).toBe(true);
    expect((await count('key')).isAllowed).toBe(false);
    expect(asked[0]).toBe(300);
    expect(asked.at(-1)).toBe(1);
    expect(asked.length).toBeLessThan(150);
  });

  test('are borrowed once for all requests that arrive at once', async () => {
    const { lend, asked } = lender(1000);
    const count = createRateLimit(1000, lend);
    const allowances = await Promise.all(Array.from({ length: 50 }, () => count('key')));
    expect(asked).toEqual([50]);
    expect(new Set(allowances.map(({ remaining }) => remaining)).size).toBe(50);
  });

  test('end, and a new one begins', async () => {
    let minutes = 0;
    const count = createRateLimit(2, async () => {
      minutes++;
      return { granted: 2, used: 2, ends: 20 };
    });
    const taken = [await count('key'), await count('key'), await count('key')];
    expect(taken.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
    await new Promise((done) => setTimeout(done, 30));
    expect((await count('key')).isAllowed).toBe(true);
    expect(minutes).toBe(2);
  });

  test('that cannot be borrowed refuse the request with what the lender says, and the next one tries again', async () => {
    let works = false;
    const count = createRateLimit(2, async () => {
      if (!works) throw new Error('down');
      return { granted: 2, used: 2, ends: 1000 };
    });
    await expect(count('key')).rejects.toThrow('down');
    works = true;
    expect((await count('key')).isAllowed).toBe(true);
  });
});

test('if a lender with a lower limit grants nothing, the key is refused, and the lender is not asked again and again', async () => {
  let asked = 0;
  const count = createRateLimit(60, async (_keyId, wanted) => {
    const granted = asked++ === 0 ? Math.min(wanted, 2) : 0;
    return { granted, used: 2, ends: 60_000 };
  });
  const allowed = await Promise.all([1, 2, 3, 4].map(() => count('key')));
  expect(allowed.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false, false]);
  expect((await count('key')).isAllowed).toBe(false);
  expect(asked).toBe(2);
});
