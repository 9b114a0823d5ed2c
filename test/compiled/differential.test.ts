import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway } from '../../src/gateway.js';
import { createServer } from '../../src/http/server.js';
import { resources } from '../../src/model/resource.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { randomOf, randomOperation } from './random-operation.js';

/** COMPILED_OPERATIONS=5000 npx vitest run test/compiled asks as many. */
const operations = Number(process.env.COMPILED_OPERATIONS ?? 300);

describe.each(['sqlite', 'postgresql'] as const)('compiled reads and resolvers, on %s', (database) => {
  let compiled: TestGateway;
  let reference: Server;
  let referenceUrl: string;
  const ids = new Map<string, string[]>();

  beforeAll(async () => {
    compiled = await startGateway({ database });
    const { app } = createGateway({
      database: compiled.database,
      config: compiled.config,
      log: pino({ level: 'silent' }),
      compiledReads: false,
    });
    reference = createServer(app).listen(0, '127.0.0.1');
    await once(reference, 'listening');
    referenceUrl = `http://127.0.0.1:${(reference.address() as AddressInfo).port}`;
    await fill();
  });
  afterAll(async () => {
    reference.close();
    await compiled.close();
  });

  it(
    `answer ${operations} random operations alike`,
    async () => {
      let answeredByDatabase = 0;
      for (let seed = 1; seed <= operations; seed++) {
        const { query, variables } = randomOperation(randomOf(seed), ids);
        const before = compiled.statements.length;
        const [ours, theirs] = [await ask(compiled.url, query, variables), await ask(referenceUrl, query, variables)];
        const ran = compiled.statements.slice(before);
        if (ran.some((sql) => /json_object|row_to_json|RecordCount/.test(sql))) answeredByDatabase++;
        expect({ seed, query, variables, answer: ours }).toEqual({ seed, query, variables, answer: theirs });
      }
      expect(answeredByDatabase).toBeGreaterThan(operations * 0.4);
    },
    30_000 + 100 * operations,
  );

  it('answer every REST read alike, with the same names in the same order', async () => {
    for (const resource of resources) {
      const id = ids.get(resource.model)?.[1];
      const parent = ids.get(resource.parents[0]?.resource.model ?? '')?.[1] ?? 'none';
      const paths =
        resource.kind === 'singleton'
          ? ['']
          : resource.kind === 'child'
            ? [`?parent_id=${parent}`, `?parent_id=${parent}&limit=1&offset=1`, `/${id}`]
            : ['', '?limit=1', '?limit=2&offset=1', '?offset=99', `/${id}`, '/none'];
      for (const path of paths) {
        const [ours, theirs] = await Promise.all(
          [compiled.url, referenceUrl].map((url) => get(url, resource.base + path)),
        );
        expect(ours?.status).toBe(theirs?.status);
        expect(ours?.etag).toBe(theirs?.etag);
        // Read and written again: the same names in the same order, whatever way each writes a number.
        const text = (answer = { text: '' }) =>
          JSON.stringify(JSON.parse(answer.text)).replace(/"request_id":"\w+"/, '');
        expect(text(ours)).toBe(text(theirs));
      }
    }
  });

  /** Three records of each type, with odd values, and lines. */
  async function fill(): Promise<void> {
    const odd = ['plain', '"\\/\b\f\n\r\t\u2028 €😀', '', "' -- ;", '\u0001\u001f'];
    const numbers = [0, 1.5, -0.1, 1e308, 5e-324, 123456789.123, 2 ** 53, 1e21, -7];
    let turn = 0;
    const value = (type: string) => {
      turn++;
      if (type === 'String') return odd[turn % odd.length];
      if (type === 'Boolean') return turn % 2 === 0;
      return type === 'Int' ? turn % 100 : numbers[turn % numbers.length];
    };
    const input = (fields: (typeof resources)[number]['fields'], skipped: Set<string>) =>
      Object.fromEntries(
        fields
          .filter(({ name, required }) => !skipped.has(name) && (required || turn++ % 3 > 0))
          .map(({ name, type }) => [name, value(type)]),
      );
    for (const resource of resources) {
      if (resource.kind !== 'resource') continue;
      for (let count = 0; count < 3; count++) {
        const lines = resource.lines.map(({ field, resource: child }) => [
          field,
          Array.from({ length: count * 2 }, () =>
            input(child.fields, new Set([child.scope ?? '', 'idx', 'parentType'])),
          ),
        ]);
        const { body } = await compiled.graphql(
          `mutation ($input: Create${resource.model}Input!) { r: create${resource.model}(input: $input) { id ${resource.lines.map(({ field }) => `${field} { id }`).join(' ')} } }`,
          { input: { ...input(resource.fields, new Set(['status'])), ...Object.fromEntries(lines) } },
        );
        expect(body.errors).toBeUndefined();
        remember(resource.model, body.data.r.id);
        for (const { field, resource: child } of resource.lines) {
          for (const { id } of body.data.r[field]) remember(child.model, id);
        }
      }
    }
  }

  function remember(model: string, id: string): void {
    ids.set(model, [...(ids.get(model) ?? ['none']), id]);
  }

  async function ask(url: string, query: string, variables: object): Promise<unknown> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${compiled.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  }

  async function get(url: string, path: string) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${compiled.key}` } });
    return { status: response.status, etag: response.headers.get('etag'), text: await response.text() };
  }
});
