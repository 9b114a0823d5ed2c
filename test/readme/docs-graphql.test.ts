import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

const page = readFileSync('docs/graphql.md', 'utf8');

/** Each operation with its variables and what it answers, or is refused with. */
const examples = [
  ...page.matchAll(
    /```graphql\n([\s\S]*?)```\n\n```json variables\n([\s\S]*?)```\n\n[^`]*```json( errors)?\n([\s\S]*?)```/g,
  ),
].map(([, query = '', variables = '', isRefused, shown = '']) => ({
  name: /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '',
  query,
  variables,
  isRefused: Boolean(isRefused),
  shown: JSON.parse(shown),
}));

describe('docs/graphql.md', () => {
  let gateway: TestGateway;
  const known = { id: '', line: '' };
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it('shows an answer for each of its operations', () => {
    expect(examples.length).toBe(page.match(/```graphql/g)?.length);
    expect(examples.length).toBeGreaterThan(7);
  });

  it.each(examples)('$name is answered as shown', async ({ query, variables, isRefused, shown }) => {
    const filled = variables.replaceAll('$id', known.id).replaceAll('$line', known.line);
    const { body } = await gateway.graphql(query, JSON.parse(filled));
    if (isRefused) {
      expect(body.errors.map(({ extensions }: { extensions: object }) => extensions)).toMatchObject(shown);
      return;
    }
    expect(body.errors).toBeUndefined();
    expect(withoutRandom(body.data, shown)).toEqual(shown);
    known.id = body.data.createAssetRepair?.id ?? known.id;
    known.line ||= await firstLine();
  });

  async function firstLine(): Promise<string> {
    const { body } = await gateway.graphql('query ($id: ID!) { assetRepair(id: $id) { consumedItems { id } } }', known);
    return body.data.assetRepair.consumedItems[0].id;
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
