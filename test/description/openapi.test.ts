/**
 * The OpenAPI description is served, valid and complete; test/support/described-answers.ts compares every answer with
 * it.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSchema, parse, printSchema, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { documentedResources } from '../contract/document.js';
import { documentedFields } from '../contract/documented-fields.js';
import { decidedEndpoints, documentedEndpoints } from '../contract/endpoints.js';
import { requireDescribed } from '../support/described-answers.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { schema } from '../support/schema.js';

describe('the description', () => {
  let gateway: TestGateway;
  // biome-ignore lint/suspicious/noExplicitAny: it is read as any client reads it
  let openapi: any;
  beforeAll(async () => {
    gateway = await startGateway();
    openapi = (await gateway.rest('GET', '/openapi.json')).body;
  });
  afterAll(() => gateway.close());

  test('says in words what each endpoint does', () => {
    const summaries = Object.values<object>(openapi.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ summary }) => summary ?? []),
    );
    expect(summaries.length).toBeGreaterThan(240);
    // Words, or abbreviations and several of one, without a letter alone, a name of a type, or a word twice.
    const plain = /^[A-Z][a-z]+( [a-z]+| [A-Z]{2,}s?)+$/;
    expect(
      summaries.filter(
        (each) => !plain.test(each) || / [b-z] |\ban? [aeio]|\b(\w+) \1\b/.test(each.replace(/\ban (?=[aeio])/g, '')),
      ),
    ).toEqual([]);
    expect(summaries).toContain('List the CCs of a process statement of accounts');
  });

  test('has every endpoint and no other, by the names of their GraphQL operations', () => {
    const described = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const all = [...documentedEndpoints, ...decidedEndpoints].map(({ method, path }) => `${method} ${path}`);
    const past = documentedResources
      .filter(({ kind }) => kind !== 'child')
      .map(({ base }) => `GET ${base}/{id}/history`);
    expect(described.sort()).toEqual([...all, ...past, 'GET /api/changes', 'GET /api/events'].sort());
    for (const { method, path } of documentedEndpoints)
      expect(openapi.paths[path][method.toLowerCase()]['x-extension'], path).toBeUndefined();
    for (const { method, path } of decidedEndpoints)
      expect(openapi.paths[path][method.toLowerCase()]['x-extension'], path).toBe(true);
  });

  test('has every field of every record type with its type, under the name of the GraphQL type', () => {
    for (const resource of documentedResources) {
      const { operationId } = openapi.paths[resource.base].get;
      const model = operationId.replace(/(List|Retrieve)$/, '');
      expect(schema.getType(model)).toBeDefined();
      const { properties, required } = openapi.components.schemas[model];
      expect(Object.keys(properties).slice(0, required.length)).toEqual(required);
      for (const { name, type } of documentedFields(resource)) {
        expect([`${model}.${name}`, [properties[name]?.type].flat()[0]]).toEqual([`${model}.${name}`, type]);
      }
    }
    expect(openapi.components.schemas.AssetRepair.properties.repair_status['x-known-values']).toContain('Pending');
    expect(openapi.components.schemas.CreateAssetRepairInput.required).toEqual(['failure_date', 'asset']);
    const states = ['', 'Create', 'Update'].map((verb) => {
      const { [verb ? `${verb}AssetRepairInput` : 'AssetRepair']: described } = openapi.components.schemas;
      const { description, default: _, ...status } = described.properties.status;
      return status;
    });
    const state = { type: 'string', enum: ['draft', 'submitted', 'cancelled'] };
    const orNull = { anyOf: [state, { type: 'null' }] };
    expect(states).toEqual([state, orNull, orNull]);
    expect(openapi.components.schemas.SerialNo.properties.status.enum).toBeUndefined();
  });

  test('has a schema of its own for what `as_of` answers, where that holds lines', () => {
    const { schemas } = openapi.components;
    const answerOf = (path: string) => openapi.paths[path].get.responses[200].content['application/json'].schema;
    expect(answerOf('/api/assets/asset-repair/{id}').anyOf).toEqual([
      { $ref: '#/components/schemas/AssetRepair' },
      { $ref: '#/components/schemas/AssetRepairAsOf' },
    ]);
    expect(schemas.AssetRepair.properties.consumed_items).toBeUndefined();
    const [whole, lines] = schemas.AssetRepairAsOf.allOf;
    expect(whole).toEqual({ $ref: '#/components/schemas/AssetRepair' });
    expect(lines.required).toEqual(['consumed_items', 'purchase_invoices']);
    expect(lines.properties.consumed_items.items).toEqual({ $ref: '#/components/schemas/AssetRepairConsumedItem' });
    expect(answerOf('/api/crm/industry-type/{id}')).toEqual({ $ref: '#/components/schemas/IndustryType' });
  });

  test('has a format at every number', () => {
    const without: string[] = [];
    const look = (value: unknown, path: string): void => {
      const { type, format } = Object(value);
      if ((type === 'integer' || type === 'number' || (type ?? []).includes?.('integer')) && !format)
        without.push(path);
      if (typeof value === 'object')
        for (const [name, each] of Object.entries(value ?? {})) look(each, `${path}/${name}`);
    };
    look(openapi, '');
    expect(without).toEqual([]);
    expect(openapi.components.schemas.ChangeList.properties.position.format).toBe('int64');
  });

  test('describes each part in the form that tools take: lists of enums, one form of error, an address, a license', () => {
    expect(openapi.info.license).toEqual({ name: 'Proprietary', identifier: 'LicenseRef-Proprietary' });
    // Tools resolve the first against the address of the description; generators of clients take the other.
    expect(openapi.servers.map(({ url }: { url: string }) => url)).toEqual(['/', '{address}']);
    expect(openapi.servers[1].variables.address.default).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    for (const path of ['/api/events', '/api/changes'])
      for (const name of ['types', 'actions']) {
        const found = openapi.paths[path].get.parameters.find((each: { name?: string }) => each.name === name);
        expect([path, found.schema]).toMatchObject([path, { type: 'array', items: { enum: expect.any(Array) } }]);
        expect(found.explode).toBe(false);
      }
    const { responses, schemas } = openapi.components;
    const members = schemas.ErrorAnswer.properties.error.required;
    for (const [path, methods] of Object.entries<Record<string, { responses: object }>>(openapi.paths))
      for (const [method, { responses: own }] of Object.entries(methods))
        for (const [status, { $ref: reference = '' }] of Object.entries<{ $ref?: string }>({ ...own })) {
          if (/^[123]/.test(status)) continue;
          const refused = responses[reference.replace('#/components/responses/', '')];
          const at = `${method} ${path} ${status}`;
          expect([at, Object.keys(refused.content)]).toEqual([at, ['application/json']]);
          const { schema: answered } = refused.content['application/json'];
          const { required, properties } = schemas[answered.$ref.replace('#/components/schemas/', '')];
          expect([at, required, properties.error.required]).toEqual([at, ['error'], members]);
          if (method === 'get') expect([at, /413|415/.test(status + JSON.stringify(refused))]).toEqual([at, false]);
        }
  });

  test('names with each endpoint a GraphQL operation that is right, and where it is served', async () => {
    const { body: documents } = await gateway.rest('GET', '/operations.json');
    for (const methods of Object.values<Record<string, Record<string, unknown>>>(openapi.paths)) {
      for (const operation of Object.values(methods)) {
        const twin = operation['x-graphql-operation'];
        if (operation.operationId === 'Events') continue;
        const { name, externalValue } = Object(twin);
        expect([name, externalValue]).toEqual([operation.operationId, `operations/${name}.graphql`]);
        expect(validate(schema, parse(documents[name]))).toEqual([]);
      }
    }
    const address = openapi.paths['/api/crm/industry-type'].post['x-graphql-operation'].externalValue;
    expect((await gateway.rest('GET', `/${address}`)).text.trim()).toBe(documents.IndustryTypeCreate);
  });

  test('is small, says everything once, and refers to each component', () => {
    const text = JSON.stringify(openapi);
    // Clients and tools load and resolve it as a whole.
    expect(text.length).toBeLessThan(850_000);
    const references = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name));
    const { securitySchemes: _, ...components } = openapi.components;
    const all = Object.entries<object>(components).flatMap(([kind, each]) =>
      Object.keys(each).map((name) => `${kind}/${name}`),
    );
    expect(all.sort()).toEqual([...references].sort());
    for (const word of ['GraphQL', 'Connection', '"readOnly"'])
      for (const [name, described] of Object.entries(openapi.components.schemas))
        expect([name, JSON.stringify(described).includes(word)]).toEqual([name, false]);
  });

  test('is valid for a validator', async () => {
    const file = join(inject('testRun').folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(openapi));
    const { valid, errors } = await problemsOf(file);
    expect([valid, errors]).toEqual([true, undefined]);

    writeFileSync(file, JSON.stringify({ ...openapi, info: { title: 1 } }));
    expect((await problemsOf(file)).valid).toBe(false);
  });

  test('is the same as YAML', async () => {
    const yaml = await gateway.rest('GET', '/openapi.yaml');
    expect(yaml.headers.get('content-type')).toMatch('application/yaml');
    const { parse: parseYaml } = createRequire(import.meta.url)('yaml');
    expect(parseYaml(yaml.text)).toEqual((await gateway.rest('GET', '/openapi.json')).body);
  });

  test.each(['/openapi.json', '/openapi.yaml', '/schema.graphql', '/operations.json'])(
    '%s needs no key, is sent compressed, and only once to who keeps it',
    async (path) => {
      const none = { authorization: '' };
      const answer = await gateway.rest('GET', path, undefined, { ...none, 'accept-encoding': 'gzip' });
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip']);
      const plain = await gateway.rest('GET', path, undefined, none);
      expect([plain.text === answer.text, plain.headers.get('content-encoding')]).toEqual([true, null]);
      const etag = answer.headers.get('etag') ?? '';
      const again = await gateway.rest('GET', path, undefined, { ...none, 'if-none-match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
      const head = await gateway.rest('HEAD', path, undefined, none);
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
      expect(answer.text).not.toContain(gateway.key);
    },
  );

  test('of GraphQL is the schema', async () => {
    const { text } = await gateway.rest('GET', '/schema.graphql');
    expect(printSchema(buildSchema(text))).toBe(printSchema(schema));
  });
});

describe('an answer that is not described fails the test that asked', () => {
  const path = '/api/crm/industry-type/industry-type_1';
  const record = { id: '1', industry: 'Steel', created_at: '2026', updated_at: '2026' };
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r', etag: '"1"' };
  const answer = (more: object) => () =>
    requireDescribed({ method: 'GET', path, status: 200, headers, text: '', body: record, ...more });

  test('by its status, a header, a member or a media type', () => {
    expect(answer({})).not.toThrow();
    expect(answer({ status: 201 })).toThrow('status');
    expect(answer({ status: 409 })).toThrow('status');
    expect(answer({ headers: { ...headers, 'x-new': '1' } })).toThrow('x-new');
    expect(answer({ headers: { ...headers, location: '/' } })).toThrow('location');
    expect(answer({ headers: { ...headers, 'content-type': 'text/html' } })).toThrow('text/html');
    expect(answer({ body: { ...record, color: 'red' } })).toThrow('color');
    expect(answer({ body: { ...record, industry: 1 } })).toThrow('industry');
    expect(answer({ body: { id: '1' } })).toThrow('required');
    expect(answer({ method: 'PUT' })).toThrow('status');
    expect(answer({ path: '/api/nothing/here' })).toThrow('status');
    expect(answer({ path: `${path}?_explain=graphql` })).toThrow('explanation');
  });
});

interface Problems {
  valid: boolean;
  errors: unknown;
}

async function problemsOf(file: string): Promise<Problems> {
  const program = new URL('problems-of.mjs', import.meta.url).pathname;
  return JSON.parse((await promisify(execFile)(process.execPath, [program, file])).stdout);
}
