import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';
import {
  examplesOf,
  linesOf,
  messageOf,
  type OperationExample,
  type RequestExample,
  snippetsOf,
} from './graphql-examples.js';

const page = readFileSync('docs/graphql.md', 'utf8');
const examples = examplesOf(page);

describe('docs/graphql.md', () => {
  let gateway: TestGateway;
  /** What was answered before, by the name the page gives it. */
  const known: Record<string, string> = {
    hash: createHash('sha256').update('{ assetRepairs { totalCount } }').digest('hex'),
  };
  beforeAll(async () => {
    gateway = await sharedGateway('sqlite', true);
  });

  it('shows an answer for each of its operations and requests', () => {
    expect(examples.length).toBe(page.match(/```(graphql|http)\n/g)?.length);
    expect(examples.length).toBeGreaterThan(25);
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
    if (createAssetRepair)
      Object.assign(known, { id: createAssetRepair.id, line: await firstLine(createAssetRepair.id) });
    if (createManyQuotations) known.quotation = createManyQuotations[0].id;
    if (quotations?.pageInfo.endCursor) known.cursor = quotations.pageInfo.endCursor;
  }

  async function send({ request, answer }: RequestExample): Promise<void> {
    const { first, headers, body } = messageOf(filled(request));
    const [method = '', target = ''] = first.split(' ');
    const url = target.replace(/=(.*)/, (_, value) => `=${encodeURIComponent(value)}`);
    const accept = { accept: 'application/json', ...headers };
    const received = await gateway.rest(method, url, body || undefined, accept);
    const shown = messageOf(answer);
    expect(received.status).toBe(Number(shown.first));
    for (const [name, value] of Object.entries(shown.headers)) {
      expect(received.headers.get(name)).toEqual(value === '…' ? expect.any(String) : value);
    }
    if (shown.body) expect(received.body).toMatchObject(JSON.parse(shown.body));
    known.etag = received.headers.get('etag') ?? '';
  }

  const filled = (text: string): string => text.replace(/\$([a-z]+)/g, (whole, name) => known[name] ?? whole);

  async function firstLine(id: string): Promise<string> {
    const query = 'query ($id: ID!) { assetRepair(id: $id) { consumedItems { id } } }';
    return (await gateway.graphql(query, { id })).body.data.assetRepair.consumedItems[0].id;
  }
});

test('client code of docs/graphql.md is code that the clients are tested with', () => {
  const snippets = snippetsOf(page);
  const tested = readdirSync('test/clients', { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => `\n${linesOf(readFileSync(join(parentPath, name), 'utf8')).join('\n')}\n`);
  const untested = snippets.filter((lines) => !tested.some((file) => file.includes(`\n${lines.join('\n')}\n`)));
  expect(untested).toEqual([]);
  expect(snippets.length).toBeGreaterThan(3);
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
