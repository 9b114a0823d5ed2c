/**
 * The traces of a gateway process, as a collector receives them: of the built folder, after the SDK has been installed there as
 * docs/traces.md says.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { attributes } from '../../../src/features/tracing/attributes.js';
import { freshDatabaseUrl, providers } from '../../support/database.js';
import { startProcess } from '../../support/process.js';
import { startWorkers } from '../../workers/workers.js';
import { builtFolder, carryOut, documentedInstalls } from './built-folder.js';
import { type Span, startCollector, told } from './collector.js';

const API_KEY = 'a-key-that-is-long-enough';
const path = '/api/crm/industry-type';

let folder: string;
const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' });
let before: string[];
beforeAll(async () => {
  folder = await builtFolder();
  before = files();
  for (const command of documentedInstalls()) await carryOut(command, folder);
}, 600_000);

test('what the docs install in the built folder removes nothing of it', () => {
  expect(documentedInstalls()).toEqual(['npm install @opentelemetry/sdk-node']);
  const after = new Set(files());
  expect(before.filter((name) => !after.has(name))).toEqual([]);
  expect(after).toContain('node_modules/@opentelemetry/sdk-node/package.json');
});

async function startTraced(databaseUrl: string, environment: Record<string, string>) {
  const settings = { API_KEY, DATABASE_URL: databaseUrl, OTEL_BSP_SCHEDULE_DELAY: '100', ...environment };
  const gateway = startProcess(settings, [], [], folder);
  onTestFinished(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  });
  const url = await gateway.ready();
  const send = async (address: string, { flags = '01', body }: { flags?: string; body?: object } = {}) => {
    const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const answer = await fetch(url + address, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        traceparent: `00-${traceId}-${parentId}-${flags}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { traceId, parentId, status: answer.status, text: await answer.text() };
  };
  return { gateway, send };
}

const collected = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });

describe.each(providers)('on %s', (provider) => {
  test('a request continues the trace in its header: HTTP, admission, execution, SQL', async () => {
    const collector = await startCollector();
    const databaseUrl = await freshDatabaseUrl(provider);
    const { gateway, send } = await startTraced(databaseUrl, collected(collector.url));
    const spansOf = async (traceId: string) => {
      const found = () => collector.spans.filter((span) => span.traceId === traceId);
      await expect.poll(() => found().some(({ kind }) => kind === 2)).toBe(true);
      const named = (name: string | RegExp) => found().filter((span) => new RegExp(name).test(span.name));
      return {
        server: named(/^(GET|POST)( |$)/)[0],
        admit: named('^admit$')[0],
        execute: named('^execute$')[0],
        sql: found().filter(({ kind }) => kind === 3),
      };
    };
    const statements = (sql: Span[], parent: Span | undefined) =>
      sql.filter(({ parentSpanId }) => parentSpanId === parent?.spanId).map((span) => told(span, 'db.query.text'));

    await send(path);
    const list = await send(path);
    const rest = await spansOf(list.traceId);
    expect(rest.server).toMatchObject({ name: 'GET IndustryTypeList', parentSpanId: list.parentId });
    expect(rest.admit?.parentSpanId).toBe(rest.server?.spanId);
    expect(rest.execute?.parentSpanId).toBe(rest.server?.spanId);
    expect(statements(rest.sql, rest.execute).join()).toContain('SELECT');
    const ofServer = ['http.response.status_code', 'url.path', 'records.way', 'graphql.operation.name'];
    expect(ofServer.map((name) => rest.server && told(rest.server, name))).toEqual([
      '200',
      path,
      'sql',
      'IndustryTypeList',
    ]);

    const created = await send(path, { body: { industry: 'canary-value' } });
    expect(created.status).toBe(201);
    const create = await spansOf(created.traceId);
    expect(create.server?.name).toBe('POST IndustryTypeCreate');
    expect(statements(create.sql, create.execute).join()).toContain('INSERT');

    // The resolvers answer this one, by Prisma.
    const query = 'query Canary { apiUses { name } }';
    const asked = await send('/graphql', { body: { query } });
    const graphql = await spansOf(asked.traceId);
    expect(graphql.server?.name).toBe('POST /graphql');
    expect(graphql.server && told(graphql.server, 'graphql.operation.name')).toBe('Canary');
    expect(graphql.execute && told(graphql.execute, 'records.cost')).toMatch(/^\d+$/);
    expect(graphql.sql.length).toBeGreaterThan(0);

    const refused = await send('/graphql', { body: { query: '{ nope }' } });
    const { admit } = await spansOf(refused.traceId);
    expect(admit?.status).toEqual({ code: 2 });

    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toBe(0);
    expect(collector.received()).not.toContain(API_KEY);
    expect(collector.received()).not.toContain('canary-value');
    const statementSpans = collector.spans.filter(({ kind }) => kind === 3);
    expect(new Set(statementSpans.map((span) => told(span, 'db.system.name')))).toEqual(new Set([provider]));
    const names = collector.spans.flatMap((span) => span.attributes.map(({ key }) => key));
    expect([...new Set(names)].filter((name) => !Object.values<string>(attributes).includes(name))).toEqual([]);
    // Background work of the gateway has no trace.
    expect(statementSpans.filter(({ parentSpanId }) => !parentSpanId)).toEqual([]);
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(collector.spans.length);
  });
});

test('PostgreSQL sees the trace of a recorded request in a comment, and nothing of others', async () => {
  const collector = await startCollector();
  const databaseUrl = await freshDatabaseUrl('postgresql');
  const { send } = await startTraced(databaseUrl, collected(collector.url));
  const client = new pg.Client(databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  const seen = async (text: string) => {
    const { rows } = await client.query<{ query: string }>(
      'SELECT query FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND strpos(query, $1) > 0',
      [text],
    );
    return rows.map(({ query }) => query);
  };
  for (let times = 0; times < 5; times++) await send(path, { flags: '00' });
  const plain = await send(path, { flags: '00' });
  expect(await seen('traceparent')).toEqual([]);
  const traced = await send(path);
  expect(traced.text).toBe(plain.text);
  const [query] = await seen(traced.traceId);
  expect(query).toMatch(new RegExp(`/\\*traceparent='00-${traced.traceId}-[0-9a-f]{16}-01'\\*/$`));
  // Changes too, and statements of the resolvers by Prisma. A later statement on the connection takes their place.
  for (const [address, body] of [
    [path, { industry: 'traced' }],
    ['/graphql', { query: '{ apiUses { name } }' }],
  ] as const)
    await expect.poll(async () => seen((await send(address, { body })).traceId)).not.toEqual([]);
  await expect.poll(() => collector.spans.some(({ traceId }) => traceId === traced.traceId)).toBe(true);
  expect(collector.spans.some(({ traceId }) => traceId === plain.traceId)).toBe(false);
});

test.each(providers)('on %s each worker sends the spans of its requests, also the last ones', async (provider) => {
  const collector = await startCollector();
  // Nothing is sent before the end.
  const settings = { ...collected(collector.url), OTEL_BSP_SCHEDULE_DELAY: '60000' };
  const workers = await startWorkers(provider, settings, [], folder);
  const traces = new Map<number, string>();
  while (traces.size < 2) {
    const trace = randomBytes(16).toString('hex');
    const answer = await workers.send({ headers: { traceparent: `00-${trace}-${'1'.repeat(16)}-01` } });
    traces.set(await workers.workerOf(answer), trace);
  }
  workers.gateway.child.kill('SIGTERM');
  expect(await workers.gateway.ended).toBe(0);
  for (const trace of traces.values()) {
    const names = collector.spans.filter(({ traceId }) => traceId === trace).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['GET IndustryTypeList', 'admit', 'execute']));
  }
});
