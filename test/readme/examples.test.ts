import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { examplesOf, messageOf, type OperationExample, type RequestExample } from './examples.js';

const pageNamed = (name: string) => readFileSync(`docs/${name}.md`, 'utf8');

/** Read one after the other: the records of one page are used on the next. */
const graphql = ['graphql', 'graphql-writing', 'graphql-http'].map(pageNamed).join('\n');

describe.each([
  ['the pages on GraphQL', graphql, 29],
  ['the page on REST', pageNamed('rest'), 14],
  ['the page on moving from REST to GraphQL', pageNamed('moving-to-graphql'), 22],
  ['the page on history', pageNamed('history'), 9],
])('%s', (_, page, count) => {
  const examples = examplesOf(page);
  let gateway: TestGateway;
  /** What was answered before, by the name the page gives it. */
  const known: Record<string, string> = {
    hash: createHash('sha256').update('{ assetRepairs { totalCount } }').digest('hex'),
  };
  beforeAll(async () => {
    gateway = await startGateway({ env: { SEARCH: 'true' } });
  });
  afterAll(() => gateway.close());

  it('shows an answer for each of its operations and requests', () => {
    expect(examples.length).toBe(page.match(/```(graphql|http)\n/g)?.length);
    expect(examples.length).toBeGreaterThanOrEqual(count);
  });

  it.each(examples)('$name is answered as shown', async (example) => {
    if (example.kind === 'operation') await perform(example);
    else await send(example);
  });

  async function perform({ query, variables, isRefused, shown }: OperationExample): Promise<void> {
    const { body } = await gateway.graphql(query, JSON.parse(filled(variables)));
    if (isRefused) {
      expect(body.errors.map(({ extensions }: { extensions: object }) => extensions)).toMatchObject(Object(shown));
      return;
    }
    expect(body.errors).toBeUndefined();
    expect(withoutRandom(body.data, shown)).toEqual(shown);
    const { createAssetRepair, createManyQuotations, quotations } = body.data;
    if (createAssetRepair?.record?.id)
      Object.assign(known, { id: createAssetRepair.record.id, ...(await detailsOf(createAssetRepair.record.id)) });
    if (createManyQuotations) known.quotation = createManyQuotations.records[0].id;
    if (quotations?.pageInfo.endCursor) known.cursor = quotations.pageInfo.endCursor;
  }

  async function send({ request, answer }: RequestExample): Promise<void> {
    const { first, headers, body } = messageOf(filled(request));
    const [method = '', target = ''] = first.split(' ');
    const url = target.replace(/=(\{.*)/, (_, value) => `=${encodeURIComponent(value)}`);
    const accept = { accept: 'application/json', ...headers };
    const received = await gateway.rest(method, url, body || undefined, accept);
    const shown = messageOf(filled(answer));
    expect(received.status).toBe(Number(shown.first));
    for (const [name, value] of Object.entries(shown.headers)) {
      expect(received.headers.get(name)).toEqual(value === '…' ? expect.any(String) : value);
    }
    if (shown.body) {
      const body = JSON.parse(shown.body);
      expect(withoutRandom(received.body, body)).toMatchObject(body);
    }
    if (received.status === 201 && known.id) known.line ??= received.body.id;
    if (received.status === 201 && !known.id)
      Object.assign(known, { id: received.body.id, created: received.body.created_at });
    known.etag = received.headers.get('etag') ?? '';
  }

  const filled = (text: string): string => text.replace(/\$([a-z]+)/g, (whole, name) => known[name] ?? whole);

  async function detailsOf(id: string): Promise<{ line: string; created: string }> {
    const query = 'query ($id: ID!) { assetRepair(id: $id) { createdAt consumedItems { id } } }';
    const { createdAt, consumedItems } = (await gateway.graphql(query, { id })).body.data.assetRepair;
    return { line: consumedItems[0].id, created: createdAt };
  }
});

/** The answer with `…` wherever the page shows it. */
function withoutRandom(answer: unknown, shown: unknown): unknown {
  if (shown === '…') return typeof answer === 'string' ? '…' : answer;
  if (Array.isArray(answer) && Array.isArray(shown))
    return answer.map((item, index) => withoutRandom(item, shown[index]));
  if (!isObject(answer) || !isObject(shown)) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, withoutRandom(value, shown[name])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
