/** The metrics of a gateway in the format of Prometheus. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Current } from '../../../src/common/kept.js';
import { Metrics } from '../../../src/features/metrics/metrics.js';
import { PrimaryMetrics } from '../../../src/features/metrics/start-metrics.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { restOperations } from '../../support/rest-operations.js';
import { ofFeatures, withMetrics } from './metrics-table.js';
import { queries } from './queries.js';

const path = '/api/crm/industry-type';

interface Measured {
  gateway: TestGateway;
  /** The value of a series whose line begins with `name` and holds each of `labels`; 0 where there is none. */
  value(name: string, ...labels: string[]): Promise<number>;
  text(): Promise<string>;
}

async function measured(database: 'sqlite' | 'postgresql' = 'sqlite', compiled = true): Promise<Measured> {
  const metrics = new Metrics(Current.of(new Set(restOperations.map(({ name }) => name))), {}, ofFeatures);
  const gateway = await startGateway({ database, compiled, watches: [metrics] });
  onTestFinished(() => gateway.close());
  const text = () => metrics.text();
  const value: Measured['value'] = async (name, ...labels) => {
    const lines = (await text()).split('\n').filter((line) => /^\w+/.exec(line)?.[0] === name);
    const found = lines.filter((line) => labels.every((label) => line.includes(label)));
    return found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  return { gateway, value, text };
}

describe.each(providers)('on %s', (database) => {
  test.each([true, false])(
    'requests count with their operation, status, way and statements; compiled: %s',
    async (compiled) => {
      const { gateway, value } = await measured(database, compiled);
      const way = compiled ? 'way="sql"' : 'way="resolvers"';
      const statementsOf = async (operation: string, work: () => Promise<unknown>) => {
        const before = gateway.statements.length;
        await work();
        await expect.poll(() => value('records_operation_statements_count', operation)).toBe(1);
        expect(await value('records_operation_statements_sum', operation)).toBe(gateway.statements.length - before);
      };
      await gateway.rest('GET', '/readyz');
      // From now on the key is known, and its use is noted.
      await gateway.rest('GET', `${path}/industry-type_none`);
      await expect.poll(() => gateway.statements.join()).toContain('SET "lastUsedAt"');
      await statementsOf('"IndustryTypeCreate"', () => gateway.rest('POST', path, { industry: 'counted' }));
      await statementsOf('"IndustryTypeList"', () => gateway.rest('GET', path));
      expect(await value('records_requests_total', '"IndustryTypeList"', 'status="200"', way, 'surface="rest"')).toBe(
        1,
      );
      expect(await value('records_requests_total', '"IndustryTypeCreate"', 'status="201"', way)).toBe(1);
      expect(await value('records_request_seconds_count', '"IndustryTypeList"')).toBe(1);
      expect(await value('records_sql_statements_total')).toBe(gateway.statements.length);
    },
  );
});

test('a client cannot create series by the names of its operations, paths and methods', async () => {
  const { gateway, text, value } = await measured();
  const seriesOf = async () => (await text()).split('\n').filter((line) => line.startsWith('records_')).length;
  const ask = async (number: number) => {
    await gateway.graphql(`query Q${number} { industryTypes { totalCount } }`);
    await gateway.rest('GET', `/api/none/${number}`);
    await gateway.rest('GET', `/none/${number}`);
    await gateway.rest('POST', `${path}?x=${number}`, { [`canary${number}`]: 1 });
    await gateway.rest('GET', `${path}/industry-type_${number}`);
  };
  await ask(0);
  await expect.poll(() => value('records_requests_total')).toBe(5);
  const before = await seriesOf();
  for (let number = 1; number <= 20; number++) await ask(number);
  await expect.poll(() => value('records_requests_total')).toBe(105);
  expect(await seriesOf()).toBe(before);
  expect(await text()).not.toContain('canary');
  expect(await text()).not.toContain(gateway.key);
});

test('refused requests count with their reason', async () => {
  const { gateway, value } = await measured();
  await gateway.rest('GET', path, undefined, { authorization: 'Bearer canary' });
  await gateway.rest('POST', '/graphql', { query: '{' });
  await gateway.rest('POST', path, { industry: 7 });
  await gateway.rest('POST', '/graphql', '{', {});
  await gateway.rest('DELETE', path);
  const reasons = ['api_key_invalid', 'parameter_invalid', 'json_invalid', 'method_not_allowed'];
  for (const reason of reasons) {
    await expect.poll(() => value('records_refusals_total', `reason="${reason}"`)).toBe(1);
  }
});

test('streams by REST and GraphQL are counted apart from requests, and replays and explanations have their operation', async () => {
  const { gateway, value } = await measured();
  const headers = { authorization: `Bearer ${gateway.key}`, accept: 'text/event-stream' };
  const stop = new AbortController();
  const rest = await fetch(`${gateway.url}/api/events`, { headers, signal: stop.signal });
  const body = JSON.stringify({ query: 'subscription Mine { changes { position } }' });
  const graphql = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    signal: stop.signal,
  });
  expect([rest.status, graphql.status]).toEqual([200, 200]);
  await gateway.rest('GET', '/api/events?after=x', undefined, { accept: 'text/event-stream' });
  stop.abort();
  await expect.poll(() => value('records_requests_total', 'surface="stream"')).toBe(3);
  expect(await value('records_request_seconds_count', 'surface="stream"')).toBe(0);
  expect(await value('records_request_seconds_count', 'surface="rest"')).toBe(0);
  expect(await value('records_refusals_total', 'surface="stream"')).toBe(1);
  const once = { 'idempotency-key': 'counted-once' };
  for (let times = 0; times < 2; times++) await gateway.rest('POST', path, { industry: 'once' }, once);
  await gateway.rest('GET', `${path}?_explain=graphql`);
  await expect.poll(() => value('records_requests_total', '"IndustryTypeCreate"', 'way="replay"')).toBe(1);
  await expect.poll(() => value('records_requests_total', '"IndustryTypeList"', 'way="none"')).toBe(1);
});

test('a request whose client has gone counts as aborted', async () => {
  const { gateway, value } = await measured();
  const before = gateway.statements.length;
  const asked = request(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', 'content-length': '100' },
  });
  asked.on('error', () => undefined);
  asked.write('{');
  await expect.poll(() => gateway.statements.length).toBeGreaterThan(before);
  asked.destroy();
  await expect.poll(() => value('records_requests_total', 'status="aborted"')).toBe(1);
});

test('docs/metrics.md lists them all; `npm run readme` writes it', async () => {
  const page = readFileSync('docs/metrics.md', 'utf8');
  expect(await withMetrics(page)).toBe(page);
});

test('the rules for alerts and the dashboard name metrics and labels that there are', async () => {
  const { gateway, text } = await measured();
  await gateway.rest('GET', path);
  const ofWorkers = new PrimaryMetrics({ wanted: 2, serving: [{ report: text }], replaced: 0 });
  const told = await ofWorkers.text();
  const known = ['job', 'status', 'reason', 'surface', 'way', 'state'];
  expect(queries().length).toBeGreaterThan(20);
  for (const [name, expr] of queries()) {
    const metrics = expr.match(/\b(?:records|nodejs|process)_\w+/g) ?? [];
    // Prometheus itself knows which of its targets answer.
    if (name !== 'RecordsInstanceDown') expect(metrics.length, name).toBeGreaterThan(0);
    for (const metric of metrics) {
      const family = metric.replace(/_(bucket|sum|count)$/, '');
      expect(told, name).toMatch(new RegExp(`^# TYPE ${family} `, 'm'));
    }
    for (const [, label] of expr.matchAll(/[{,](\w+)[=!]~?"/g)) expect(known, name).toContain(label);
  }
});
