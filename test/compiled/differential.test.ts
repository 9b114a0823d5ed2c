import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObjectType } from 'graphql';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway } from '../../src/gateway/gateway.js';
import { createServer } from '../../src/gateway/http/server.js';
import { sqlAnswerOf } from '../../src/graphql/answered-by-sql.js';
import { cursorOf } from '../../src/query/cursor.js';
import { byPosition } from '../../src/query/list.js';
import { Client } from '../support/client.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { api } from '../support/rest-operations.js';
import { schema } from '../support/schema.js';
import { isChosen, isChosenOrNamed, runs } from '../support/thorough.js';
import { filled } from './filled.js';
import { chanceOf } from './random.js';
import { type KnownIds, literal, randomOrder } from './random-list.js';
import { type KnownOrder, randomOperation } from './random-operation.js';

const operations = runs(30, 5000);

/**
 * The process in which SQLite answers reads does not change the statements, so one of the two is enough for `npm test`.
 */
const places = (['elsewhere', 'here'] as const).filter((_, index) => isChosenOrNamed(index, 2));

/** Fields of what mutations return. */
const kindsOfWrites = new Set(['write', 'payload', 'deleted', 'userError', 'changes', 'lineChanges']);
/** SQL leaves the fields with these to the resolvers. */
const leftArguments = new Set(['asOf', 'search']);

/** Every kind of field that SQL answers in reads, and every argument that it takes. */
const seenInReads = [
  ...new Set(
    Object.values(schema.getTypeMap()).flatMap((type) => {
      if (!isObjectType(type) || type === schema.getMutationType()) return [];
      return Object.values(type.getFields()).flatMap((field) => {
        const kind = sqlAnswerOf(field)?.kind;
        if (!kind || kindsOfWrites.has(kind)) return [];
        return [kind, ...field.args.map(({ name }) => name).filter((name) => !leftArguments.has(name))];
      });
    }),
  ),
  '@include',
];

describe.each([
  ['sqlite', 'sqlite', undefined] as const,
  ...places.map((place) => [`sqlite, every read ${place}`, 'sqlite', place] as const),
  ['postgresql', 'postgresql', undefined] as const,
])('compiled reads and resolvers, on %s', (_place, database, readsAt) => {
  let compiled: TestGateway;
  let reference: Server;
  let ourClient: Client;
  let theirClient: Client;
  let ids: KnownIds;
  const orders = new Map<string, KnownOrder[]>();

  beforeAll(async () => {
    compiled = await startGateway({ database, readsAt });
    const { app } = createGateway({
      schema,
      api,
      database: compiled.database,
      config: compiled.config,
      log: pino({ level: 'silent' }),
      compiled: false,
      isLate: () => false,
    });
    reference = createServer(app).listen(0, '127.0.0.1');
    await once(reference, 'listening');
    ourClient = new Client(compiled.url);
    theirClient = new Client(`http://127.0.0.1:${(reference.address() as AddressInfo).port}`);
    ids = await filled(compiled);
    await walk();
  });
  afterAll(async () => {
    ourClient.close();
    theirClient.close();
    reference.close();
    await compiled.close();
  });

  // Fewer runs show that the process does not change answers.
  const asked = readsAt ? Math.ceil(operations / 3) : operations;

  it(
    `answer ${asked} random operations alike`,
    async () => {
      let found = 0;
      const compiledOf = new Map<string, number>();
      for (let seed = 1; seed <= asked; seed++) {
        const { query, variables, used, isLeftToResolvers } = randomOperation(chanceOf(seed), { ids, orders });
        const before = compiled.statements.length;
        const ours = await ask(ourClient, query, variables);
        const ran = compiled.statements.slice(before);
        const theirs = await ask(theirClient, query, variables);
        expect({ seed, query, variables, answer: ours }).toEqual({ seed, query, variables, answer: theirs });
        // What the schema does not know would be refused by both, and compare nothing.
        expect({ query, answer: ours }).toEqual({
          query,
          answer: expect.not.stringContaining('GRAPHQL_VALIDATION_FAILED'),
        });
        // The resolvers answer refused operations.
        if (isLeftToResolvers || ours.includes('"errors"')) continue;
        const resolved = ran.filter((sql) => /`main`|"public"/.test(sql) && !sql.includes('ApiKey'));
        expect({ seed, query, variables, resolved }).toEqual({ seed, query, variables, resolved: [] });
        expect(compiled.logLines.filter((line) => line.includes('compiled read failed'))).toEqual([]);
        if (used.has('where') && ours.includes('[{')) found++;
        for (const feature of used) compiledOf.set(feature, (compiledOf.get(feature) ?? 0) + 1);
      }
      if (readsAt) return;
      expect(found, 'answers with records of a condition').toBeGreaterThan(operations * 0.02);
      const unseen = seenInReads.filter((name) => !compiledOf.has(name));
      expect(unseen, 'kinds of fields, and arguments, that no compiled operation had').toEqual([]);
    },
    120_000 + 400 * operations,
  );

  it('answer every REST read alike, with the same names in the same order', async () => {
    for (const resource of resources.filter((_, index) => isChosen(index, readsAt ? 4 : 2))) {
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
          [ourClient, theirClient].map((client) => get(client, resource.base + path)),
        );
        expect(ours?.status).toBe(theirs?.status);
        expect(ours?.etag).toBe(theirs?.etag);
        const text = (answer = { text: '' }) => answer.text.replace(/"request_id":"\w+"/, '');
        expect(text(ours)).toBe(text(theirs));
      }
    }
  });

  /** Some orders of each list, and the cursors they give. */
  async function walk(): Promise<void> {
    for (const [turn, resource] of resources.entries()) {
      if (resource.kind === 'singleton') continue;
      const chance = chanceOf(turn);
      const some = [[], ...Array.from({ length: 3 }, () => randomOrder(chance, resource))];
      const parentId = ids.get(resource.parents[0]?.resource.model ?? '')?.at(-1) ?? 'none';
      const scope = resource.kind === 'child' ? `parentId: ${JSON.stringify(parentId)}, ` : '';
      const lists = some.map(
        (order, index) => `r${index}: ${resource.many}(${scope}orderBy: ${literal(order)}) { edges { cursor } }`,
      );
      const { data } = JSON.parse(await ask(theirClient, `{ ${lists.join(' ')} }`, {}));
      const cursors = (index: number): string[] =>
        data[`r${index}`].edges.map((edge: { cursor: string }) => edge.cursor);
      // The cursor of a deleted line, whose place the next one has taken.
      const gone = cursorOf(byPosition, { id: `${resource.slug}_${'0'.repeat(26)}`, idx: 2 });
      const others = (index: number) => (resource.kind === 'child' && index === 0 ? [gone] : []);
      orders.set(
        resource.model,
        some.map((order, index) => ({ order, cursors: [...cursors(index), ...others(index)] })),
      );
    }
  }

  async function ask(client: Client, query: string, variables: object): Promise<string> {
    const headers = { authorization: `Bearer ${compiled.key}`, 'content-type': 'application/json' };
    const { text } = await client.send('POST', '/graphql', { query, variables }, headers);
    // Both say what time it is when they are asked about the future.
    return text.replace(/"requestId":"\w+"/g, '').replaceAll(/It is \S+ now/g, '');
  }

  async function get(client: Client, path: string) {
    const answer = await client.send('GET', path, undefined, { authorization: `Bearer ${compiled.key}` });
    return { status: answer.status, etag: answer.headers.get('etag'), text: answer.text };
  }
});
