/** The memory that refused answers take in a gateway process; with a limit of 8 MB, which takes less time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { residentMegabytes } from '../attacks/memory.js';
import { databaseInTurn, freshDatabaseUrl } from '../support/database.js';
import { type GatewayProcess, startProcess } from '../support/process.js';
import { resources } from '../support/resources.js';
import { allCases } from '../support/thorough.js';

const key = 'a-key-of-the-memory-test';
const kilobyte = 1024;
/** The longest text that fits into a body of 1 MB. */
const longest = 1000 * kilobyte;
const repairs = '/api/assets/asset-repair';
const texts = (resources.find(({ model }) => model === 'Quotation')?.fields ?? []).filter(
  ({ name, type }) => type === 'String' && name !== 'status',
);

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  let gateway: GatewayProcess;
  let url: string;
  let sent = 0;
  let repeated = 0;
  beforeAll(async () => {
    gateway = startProcess({
      DATABASE_URL: await freshDatabaseUrl(provider),
      API_KEY: key,
      LOG_LEVEL: 'silent',
      ANSWER_LIMIT: '8',
    });
    url = await gateway.ready();
  });
  afterAll(async () => {
    gateway.child.kill();
    await gateway.ended;
    expect(repeated).toBeLessThan(sent / 4);
  });

  /** Repeats requests that are refused as `busy`, which happens now and then on a busy machine. */
  async function send(...request: Parameters<typeof sendOnce>) {
    let answer = await sendOnce(...request);
    for (let tries = 0; answer.status === 503 && tries < 10; tries++) {
      repeated++;
      await sleep(200);
      answer = await sendOnce(...request);
    }
    sent++;
    return answer;
  }

  async function sendOnce(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, text, body: text.length < 10_000 ? JSON.parse(text) : undefined };
  }

  const repair = async (description: string, more: object = {}): Promise<string> => {
    const body = { asset: 'A', failure_date: '2026-01-01', description, ...more };
    const { text } = await send('POST', repairs, body);
    return /"id":"([^"]+)"/.exec(text)?.[1] ?? '';
  };

  /** Checks that the request is refused soon, and that the memory of the process hardly grows, even meanwhile. */
  async function refused(what: string, method: string, path: string, body?: object, headers?: Record<string, string>) {
    const before = residentMegabytes(gateway.child);
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, residentMegabytes(gateway.child));
    }, 20);
    const startedAt = performance.now();
    const answer = await send(method, path, body, headers);
    const took = performance.now() - startedAt;
    clearInterval(watch);
    most = Math.max(most, residentMegabytes(gateway.child));
    const { error, errors } = answer.body ?? {};
    const shown = `${what}: ${took.toFixed()} ms, ${before.toFixed()} to ${most.toFixed()} MB`;
    if (process.env.SHOW_FIGURES) console.log(provider, shown);
    expect([shown, answer.status, error?.code ?? errors?.[0]?.extensions.reason]).toEqual([
      shown,
      400,
      'answer_too_large',
    ]);
    expect(most, shown).toBeLessThan(700);
    expect(took, shown).toBeLessThan(10_000);
  }

  const aliases = (count: number, field: string) =>
    Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ');
  /** One record asked for the same text 3,900 times; `more` is left to the resolvers. */
  const bomb = (more = '') => `query ($id: ID!) { ${aliases(100, 'assetRepair(id: $id) { ...T }')} }
    fragment T on AssetRepair { ${aliases(39, 'description')} ${more} }`;

  it.each([
    // The smaller text is counted like the larger one.
    ...(allCases && provider === 'sqlite' ? ([['100 kB', 100 * kilobyte]] as const) : []),
    ['1 MB', longest] as const,
  ])('a text of %s asked for 3,900 times', async (name, size) => {
    const id = await repair('x'.repeat(size));
    await refused(`compiled, ${name}`, 'POST', '/graphql', { query: bomb(), variables: { id } });
    await refused(`resolvers, ${name}`, 'POST', '/graphql', { query: bomb('displayTitle'), variables: { id } });
    const once = `query ($id: ID!) { assetRepair(id: $id) { ${aliases(400, 'description')} } }`;
    await refused(`one object, ${name}`, 'POST', '/graphql', { query: once, variables: { id } });
  });

  it('a change that is answered so, with and without an Idempotency-Key', async () => {
    const id = await repair('x'.repeat(100 * kilobyte));
    const query = (more = '') =>
      `mutation ($id: ID!) { submitAssetRepair(id: $id) { record { ${aliases(400, 'description')} ${more} } } }`;
    const variables = { id };
    await refused('a change', 'POST', '/graphql', { query: query(), variables });
    await refused('a change by resolvers', 'POST', '/graphql', { query: query('displayTitle'), variables });
    await refused('with a key', 'POST', '/graphql', { query: query(), variables }, { 'idempotency-key': 'k1' });
    const small = `mutation ($id: ID!) { submitAssetRepair(id: $id) { record { ${aliases(11, 'description')} } } }`;
    await refused(
      'above 1 MB with a key',
      'POST',
      '/graphql',
      { query: small, variables },
      { 'idempotency-key': 'k2' },
    );
    const { body } = await send('GET', `${repairs}/${await repair('x')}`);
    expect(body.status).toBe('draft');
    const status = await send('POST', '/graphql', { query: `{ assetRepair(id: "${id}") { status version } }` });
    expect(status.body.data.assetRepair).toEqual({ status: 'DRAFT', version: 1 });
  });

  it('a page of records of 1 MB', async () => {
    for (let i = 0; i < 12; i++) await repair('x'.repeat(longest));
    await refused('a page over REST', 'GET', `${repairs}?limit=600`);
    await refused('a page by resolvers', 'POST', '/graphql', {
      query: '{ assetRepairs(first: 600) { nodes { description displayTitle } } }',
    });
  }, 60_000);

  it('lines of 500 kB, and an alias bomb through them', async () => {
    const id = await repair('x');
    for (let i = 0; i < 20; i++) {
      const query =
        'mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id } } }';
      const input = { assetRepairId: id, itemCode: 'x'.repeat(500 * kilobyte), warehouse: 'W' };
      const line = await send('POST', '/graphql', { query, variables: { input } });
      expect(line.text).not.toContain('errors');
    }
    const ask = (selection: string) => ({ query: `{ assetRepair(id: "${id}") { ${selection} } }` });
    await refused('lines', 'POST', '/graphql', ask('consumedItems { itemCode }'));
    await refused('lines by resolvers', 'POST', '/graphql', ask('displayTitle consumedItems { itemCode }'));
    const deep =
      'consumedItems(limit: 50) { assetRepair { consumedItems(limit: 50) { assetRepair { description } idx itemCode } } }';
    await refused('lines of lines', 'POST', '/graphql', ask(deep));
    await refused('lines of lines by resolvers', 'POST', '/graphql', ask(`displayTitle ${deep}`));
  }, 60_000);

  it('a record of 12 MB', async () => {
    const created = await send('POST', '/graphql', {
      query:
        'mutation { createQuotation(input: { transactionDate: "2026-01-01", company: "C", currency: "EUR", conversionRate: 1, plcConversionRate: 1, sellingPriceList: "S", priceListCurrency: "EUR" }) { record { id } } }',
    });
    const id = created.body.data?.createQuotation.record?.id;
    expect(created.text).toContain('"id"');
    for (const { name } of texts.slice(0, 12)) {
      const query = `mutation ($input: UpdateQuotationInput!) { updateQuotation(id: "${id}", input: $input) { record { id } } }`;
      await send('POST', '/graphql', { query, variables: { input: { [name]: 'x'.repeat(longest) } } });
    }
    await refused('a record over REST', 'GET', `/api/crm/quotation/${id}`);
    const all = texts.map(({ name }) => name).join(' ');
    await refused('a record by resolvers', 'POST', '/graphql', {
      query: `{ quotation(id: "${id}") { displayTitle ${all} } }`,
    });
  }, 60_000);
});
