/**
 * A call that is tried in the reference, in Swagger UI or in Postman contains the examples and the defaults of its
 * parameters: none of them makes a call fail or do something else.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { changesEndpoint } from '../../src/features/history/changes-endpoint.js';
import type { Parameter, Schema } from '../../src/gateway/api.js';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { documented, someRecord } from '../contract/records.js';
import { resources } from '../support/resources.js';
import { restOperations } from '../support/rest-operations.js';
import { description } from './description.js';

const reads = restOperations.filter(({ method, resource }) => method === 'GET' && resource.kind !== 'child');

/** Each optional parameter that has an example, once for each operation that has it. */
const examples = new Map<string, { path: string; title: string; parameter: Parameter }>();
const addAll = (name: string, path: string, title: string, parameters: readonly Parameter[]) => {
  for (const parameter of parameters)
    if (!parameter.required && parameter.example !== undefined)
      examples.set(`${name}: ${parameter.name}`, { path, title, parameter });
};
for (const { operation, resource, path, parameters } of reads)
  addAll(`${operation} of a ${resource.kind}`, path, resource.title, parameters);
addAll('changes', '/api/changes', 'Asset Repair', changesEndpoint(resources).parameters ?? []);

/** What tools send for a parameter that nobody has filled in. */
const sentFor = ({ example, schema, ...others }: object & Pick<Parameter, 'example' | 'schema'>): unknown[] => [
  example,
  ...Object.values('examples' in others ? Object(others.examples) : {}),
  schema.default,
  ...Object.entries(schema).flatMap(([name, value]) => (/^(examples?|const|enum)$/.test(name) ? [value] : [])),
];

test('no header of any operation has a value that a tool would send, but for that of If-Match, which asks for nothing', async () => {
  const { paths, components } = JSON.parse(JSON.stringify(await description()));
  const found = new Set<string>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(Object(methods))))
    for (const given of Object(operation).parameters ?? []) {
      const parameter = given.$ref ? components.parameters[given.$ref.split('/').at(-1)] : given;
      if (parameter.in === 'header')
        for (const value of sentFor(parameter)) if (value !== undefined) found.add(`${parameter.name}: ${value}`);
    }
  expect([...found]).toEqual(['If-Match: *']);
});

test('every example fits its schema, and is a value of a business and no name of a field', async () => {
  const { paths, components } = JSON.parse(JSON.stringify(await description()));
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: 'description', components });
  const shown: { schema: Schema; example: unknown; of: string }[] = Object.entries<Schema>(components.schemas).flatMap(
    ([of, { examples: all = [] }]) => [all].flat().map((example) => ({ schema: reference(of), example, of })),
  );
  for (const [of, { content = {} }] of Object.entries<Shown>(components.responses))
    for (const { schema, example } of Object.values(content)) if (example) shown.push({ schema, example, of });
  for (const { operationId, requestBody } of Object.values(paths).flatMap((each) => Object.values<Shown>(Object(each))))
    for (const { schema, example } of Object.values(requestBody?.content ?? {}))
      shown.push({ schema, example, of: operationId });
  expect(shown.length).toBeGreaterThan(150);
  for (const { schema, example, of } of shown) {
    const $ref = `description${schema.$ref}`;
    expect([of, ajv.validate({ $ref }, example), ajv.errorsText()]).toEqual([of, true, 'No errors']);
    for (const [name, value] of Object.entries(Object(example)))
      expect([of, name, String(value).toLowerCase()]).not.toEqual([of, name, name.replaceAll('_', ' ')]);
  }
  const { company, asset } = components.schemas.AssetRepair.examples[0];
  expect([company, asset]).toEqual(['Lakeside Components', 'ASSET-00042']);
  const refusals = Object.entries<Shown>(components.responses).filter(([, { content }]) =>
    /Error/.test(JSON.stringify(content ?? {})),
  );
  expect(refusals.length).toBeGreaterThan(7);
  for (const [name, { content }] of refusals)
    expect([name, content?.['application/json']?.example]).not.toContain(undefined);
});

test('each refusal has the codes of its own status only, of which its schema says the further members', async () => {
  const { components } = JSON.parse(JSON.stringify(await description()));
  const errorIn = (name: string) => components.schemas[name].properties.error.properties;
  expect(errorIn('PreconditionFailedError').code.enum).toEqual(['version_conflict']);
  expect(errorIn('PreconditionFailedError').current_version).toBeDefined();
  expect([errorIn('BadRequestError').errors.items, errorIn('NotFoundError').errors.maxItems]).toEqual([
    reference('Problem'),
    0,
  ]);
  expect(errorIn('NotFoundError').current_version).toBeUndefined();
  expect(errorIn('ErrorAnswer').code.enum).toContain('version_conflict');
});

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

type Content = Record<string, { schema: Schema; example?: unknown }>;

interface Shown {
  operationId: string;
  content?: Content;
  requestBody?: { content: Content };
}

onDatabaseInTurn(import.meta.filename, (gateway) => {
  test('the default of If-Match lets a record be changed again and again', async () => {
    const { id } = await someRecord(gateway(), documented('Asset Repair'));
    for (const repair_cost of [7, 8]) {
      const path = `/api/assets/asset-repair/${id}`;
      const answer = await gateway().rest('PATCH', path, { repair_cost }, { 'if-match': '*' });
      expect([answer.status, answer.body.repair_cost]).toEqual([200, repair_cost]);
    }
  });

  describe('the example of', () => {
    test.each([...examples])('%s', async (_, { path, title, parameter: { name, in: place, example } }) => {
      const resource = documented(title);
      const { id } = await someRecord(gateway(), resource);
      const query = place === 'query' ? `?${new URLSearchParams([[name, String(example)]])}` : '';
      const headers: Record<string, string> = place === 'header' ? { [name]: String(example) } : {};
      const answer = await gateway().rest('GET', path.replace('{id}', id) + query, undefined, headers);
      expect([200, 304], answer.text).toContain(answer.status);
    });
  });
});
