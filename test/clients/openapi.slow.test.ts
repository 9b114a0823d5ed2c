/** A client with types made of the OpenAPI description: openapi-typescript and openapi-fetch. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';

/** Creates, reads, changes and deletes a document with lines, a plain record and a singleton. */
const app = (wrong = '') => `
import createClient from 'openapi-fetch';
import type { components, paths } from './types.js';

const [, , baseUrl, key] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + key } });
type Repair = components['schemas']['AssetRepair'];
const there = <Value>({ data, error }: { data?: Value; error?: unknown }): Value => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const repairs = '/api/assets/asset-repair';
const created = await client.POST(repairs, { body: { asset: 'LATHE-7', failure_date: '2026-11-20' } });
const repair: Repair = there(created);
const id: string = repair.id;
const copy = there(await client.POST(repairs, { body: repair }));
const cost: number = repair.repair_cost;
const company: string | null = repair.company;
const path = { id };
const etag = created.response.headers.get('etag') ?? '';
const changed = there(
  await client.PATCH('/api/assets/asset-repair/{id}', {
    params: { path, header: { 'If-Match': etag } },
    body: { repair_cost: 80, company: null },
  }),
);
const stale = await client.PATCH('/api/assets/asset-repair/{id}', {
  params: { path, header: { 'If-Match': etag } },
  body: { repair_cost: 90 },
});
const conflict = stale.error && 'error' in stale.error ? stale.error.error.code : undefined;

const items = '/api/assets/asset-repair-consumed-item';
const itemIds: string[] = [];
for (const item_code of ['BELT', 'OIL']) {
  const body = { asset_repair_id: id, item_code, warehouse: 'Stores' };
  itemIds.push(there(await client.POST(items, { body })).id);
}
const reordered = there(
  await client.POST('/api/assets/asset-repair-consumed-item/reorder', {
    body: { parent_id: id, ids: itemIds.toReversed() },
  }),
);
const listed = there(await client.GET(items, { params: { query: { parent_id: id, limit: 1 } } }));
const line = there(await client.GET('/api/assets/asset-repair-consumed-item/{id}', { params: { path: { id: itemIds[0] ?? '' } } }));

const submitted = there(await client.POST('/api/assets/asset-repair/{id}/submit', { params: { path } }));
const cancelled = there(await client.POST('/api/assets/asset-repair/{id}/cancel', { params: { path } }));
const deleted = there(await client.DELETE('/api/assets/asset-repair/{id}', { params: { path } }));
const gone = await client.GET('/api/assets/asset-repair/{id}', { params: { path } });

const industry = there(
  await client.POST('/api/crm/industry-type', {
    params: { header: { 'Idempotency-Key': 'once' } },
    body: { industry: 'Steel' },
  }),
);
const page = there(await client.GET('/api/crm/industry-type', { params: { query: { limit: 5, offset: 0 } } }));
const settings = there(await client.GET('/api/accounts/subscription-settings'));
const kept = there(
  await client.PATCH('/api/accounts/subscription-settings/{id}', {
    params: { path: { id: settings.id } },
    body: { prorate: false },
  }),
);
${wrong}
console.log(
  JSON.stringify({
    cost: [cost, changed.repair_cost],
    copy: [copy.id === id, copy.asset],
    company,
    conflict,
    order: reordered.data.map(({ item_code }) => item_code),
    listed: [listed.data[0]?.item_code, listed.has_more, listed.total],
    line: line.idx,
    states: [repair.status, submitted.status, cancelled.status],
    deleted: deleted.deleted,
    gone: gone.response.status,
    industry: page.data[0]?.industry === industry.industry,
    prorate: kept.prorate,
  }),
);
`;

/**
 * The record types whose records, as they are read, are bodies of an operation. It is compared with all that have it, so that a
 * type whose body takes another null, state or required field is named by tsc.
 */
const sentBack = (verb: 'Create' | 'Update', models: readonly string[]) => `
import type { operations } from './types.js';

type Of<Name> = Name extends keyof operations ? operations[Name] : never;
type Json<Message> = Message extends { content: { 'application/json': infer Value } } ? Value : never;
type Answer<Operation> = Operation extends { responses: { 200: infer Message } } ? Json<Message> : never;
type Body<Operation> = Operation extends { requestBody?: infer Message } ? Json<NonNullable<Message>> : never;
type Model = { [Name in keyof operations]: Name extends \`\${infer Model}Retrieve\` ? Model : never }[keyof operations];
type Taken = {
  [Each in Model]: [Answer<Of<\`\${Each}Retrieve\`>>] extends [Body<Of<\`\${Each}${verb}\`>>] ? Each : never;
}[Model];
export const taken: Record<Taken, true> = ${JSON.stringify(Object.fromEntries(models.map((model) => [model, true])))};
`;

describe('openapi-typescript and openapi-fetch', () => {
  let folder: string;
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    // Inside the project, so that the packages are found.
    mkdirSync('test/clients/node_modules/.cache', { recursive: true });
    folder = mkdtempSync(join('test/clients/node_modules/.cache', 'openapi-'));
    const description = join(folder, 'openapi.json');
    writeFileSync(description, (await gateway.rest('GET', '/openapi.json')).text);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'types.ts'), await run(['test/clients/openapi-types.mjs', description]));
    writeFileSync(join(folder, 'app.ts'), app());
  });
  afterAll(async () => {
    await gateway?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('create, read, change and delete a document with its lines, a plain record and a singleton', async () => {
    const printed = await run(['--import', 'tsx', join(folder, 'app.ts'), gateway.url, gateway.key]);
    expect(JSON.parse(printed)).toEqual({
      cost: [0, 80],
      copy: [false, 'LATHE-7'],
      company: null,
      conflict: 'version_conflict',
      order: ['OIL', 'BELT'],
      listed: ['OIL', true, 2],
      line: 2,
      states: ['draft', 'submitted', 'cancelled'],
      deleted: true,
      gone: 404,
      industry: true,
      prorate: false,
    });
  });

  test('know the types of what is sent and answered', async () => {
    expect(await check('')).toBe('');
    const wrong = [
      'const wrong: string = repair.company;',
      "await client.GET('/api/nothing');",
      "await client.POST(repairs, { body: { asset: 'x' } });",
      "await client.POST(repairs, { body: { asset: 'x', failure_date: 'x', status: 'lost' } });",
      'await client.GET(items, { params: { query: { limit: 1 } } });',
    ];
    const messages = await check(wrong.map((line) => `{ ${line} }`).join('\n'));
    expect(messages.match(/error TS/g), messages).toHaveLength(wrong.length);
  });

  test.each([
    ['Create', resources.filter(({ kind }) => kind !== 'singleton')],
    ['Update', resources],
  ] as const)('take a record of each type that was read as the body of %s, without a cast', async (verb, those) => {
    const models = those.map(({ model }) => model);
    expect(await tsc(sentBack(verb, models))).toBe('');
    const [first = '', ...others] = models;
    expect(await tsc(sentBack(verb, others))).toContain(`Property '${first}' is missing`);
  });

  /** The output of tsc for the app with these lines. */
  const check = (lines: string) => tsc(app(lines));

  async function tsc(text: string): Promise<string> {
    const file = join(folder, 'checked.ts');
    writeFileSync(file, text);
    const program = createRequire(import.meta.url)
      .resolve('typescript/package.json')
      .replace('package.json', 'bin/tsc');
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--noUncheckedIndexedAccess'];
    const target = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    return run([program, ...flags, ...target, file]).catch((error) => String(error.stdout));
  }
});

const run = async (parameters: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, parameters, { maxBuffer: 2 ** 26 })).stdout;
