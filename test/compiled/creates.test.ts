/** What is created past Prisma is what the resolvers would have created: the same answer, and the same columns stored. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../src/gateway.js';
import { createServer } from '../../src/http/server.js';
import type { Field } from '../../src/model/field.js';
import { type Resource, resources } from '../../src/model/resource.js';
import { fieldsOfLine } from '../../src/schema/inputs.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { oddNumbers, oddTexts } from './odd-values.js';

const creatable = resources.filter(({ kind }) => kind === 'resource');
const seed = Number(process.env.PROPERTY_SEED ?? 7);

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  let referenceUrl: string;
  let closeReference: () => void;

  beforeAll(async () => {
    gateway = await startGateway({ database });
    const log = pino({ level: 'silent' });
    const { app } = createGateway({ database: gateway.database, config: gateway.config, log, compiled: false });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    referenceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    closeReference = () => server.close();
  });
  afterAll(async () => {
    closeReference();
    await gateway.close();
  });

  test.each(creatable.map((resource) => [resource.model, resource] as const))('%s', async (model, resource) => {
    const inputs = fc.sample(inputOf(resource), { seed, numRuns: 6 });
    const query = `mutation ($input: Create${model}Input!) { record: create${model}(input: $input) { id ${selection(resource)} } }`;
    for (const input of inputs) {
      const before = gateway.statements.length;
      const ours = await ask(gateway.url, query, { input });
      expect(
        gateway.statements.slice(before).filter((sql) => /`main`|"public"/.test(sql) && !sql.includes('ApiKey')),
      ).toEqual([]);
      const theirs = await ask(referenceUrl, query, { input });
      expect(withoutIds(ours)).toEqual(withoutIds(theirs));
      expect(Object.keys(ours.data.record)).toEqual(Object.keys(theirs.data.record));
      const [one, other] = [await stored(resource, ours.data.record.id), await stored(resource, theirs.data.record.id)];
      expect(withoutIds(one)).toEqual(withoutIds(other));
    }
  });

  async function ask(url: string, query: string, variables: object) {
    const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  }

  /** All that is stored of a record and its lines, every column as the database has it. */
  async function stored(resource: Resource, id: string) {
    const rows = [await columns(resource, 'id', id)];
    for (const { resource: child, reference } of resource.lines) rows.push(await columns(child, reference, id));
    return rows;
  }

  function columns({ model, kind }: Resource, column: string, id: string): Promise<unknown> {
    const [mark, order] = [database === 'sqlite' ? '?' : '$1', kind === 'child' ? '"idx"' : '"id"'];
    const text = `SELECT * FROM "${model}" WHERE "${column}" = ${mark} ORDER BY ${order}`;
    return gateway.database.client.$queryRawUnsafe(text, id);
  }
});

function selection({ fields, lines, documentLike }: Resource): string {
  const own = fields.map(({ name }) => name);
  const nested = lines.map(({ field, resource }) => `${field} { id version ${selection(resource)} }`);
  return ['version', '__typename', ...(documentLike ? ['allowedActions'] : []), ...own, ...nested].join(' ');
}

function inputOf({ fields, lines }: Resource): fc.Arbitrary<object> {
  const list = (child: Resource) => fc.array(valuesOf(fieldsOfLine(child)), { maxLength: 3 });
  const lists = lines.map(({ field, resource }) => [field, fc.option(list(resource), { nil: undefined })]);
  return fc
    .tuple(valuesOf(fields), fc.record(Object.fromEntries(lists)))
    .map(([own, given]) => JSON.parse(JSON.stringify({ ...own, ...given })));
}

function valuesOf(fields: readonly Field[]): fc.Arbitrary<object> {
  const given = fields.filter(({ name }) => name !== 'status');
  return fc.record(Object.fromEntries(given.map((field) => [field.name, fieldValue(field)])));
}

function fieldValue({ type, required, name }: Field): fc.Arbitrary<unknown> {
  const isReference = name.endsWith('Id');
  const values: Record<Field['type'], fc.Arbitrary<unknown>> = {
    String: isReference ? fc.constant('somebody_else') : fc.constantFrom(...oddTexts),
    Float: fc.constantFrom(...oddNumbers),
    Int: fc.constantFrom(0, -1, 2 ** 31 - 1, -(2 ** 31)),
    Boolean: fc.boolean(),
  };
  return required ? values[type] : fc.option(fc.option(values[type], { nil: null }), { nil: undefined });
}

/** Without what differs between two records that are otherwise the same. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) =>
      key === 'id' || key === 'createdAt' || key === 'updatedAt' || /Id$/.test(key) ? undefined : inner,
    ),
  );
}
