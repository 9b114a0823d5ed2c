/**
 * What is wrong costs no more than what is right: at each way in, twice as many mistakes take about twice the work, 50
 * problems are listed, and the number of all others is said.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RestOperation } from '../../rest/endpoints.js';
import { documentTypes } from '../../src/features/transfer/document-types.js';
import { documentCheck } from '../../src/features/transfer/import/document-check.js';
import { mostProblems } from '../../src/model/errors/problem.js';
import { type CountedWork, countWork } from '../support/counted-work.js';
import type { TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { restOperations } from '../support/rest-operations.js';
import { schema } from '../support/schema.js';
import { sharedGateway } from '../support/shared-gateway.js';

/**
 * Functions, branches and loops that are entered for one more mistake: most take 4 to 40, and a parameter of a list 100,
 * because it is sent as a type as well. A mistake in a document takes 100 to 2,000, because each of its tokens is read,
 * parsed and validated.
 */
const mostForOne = { value: 120, text: 4000 };

let counted: CountedWork;
beforeAll(async () => {
  counted = await countWork((url) => /\/(src|rest|node_modules\/(graphql|leven))\//.test(url));
});
afterAll(() => counted.end());

/** Whether twice the mistakes of all `cases` take about twice the work. */
async function expectLinear<Case>(
  cases: readonly Case[],
  size: number,
  send: (each: Case, size: number) => unknown,
  most = mostForOne.value,
) {
  const work = (times: number) =>
    counted.of(async () => {
      for (const each of cases) await send(each, times);
    });
  // What is compiled or remembered once.
  await work(size / 4);
  const [once, twice] = [await work(size), await work(2 * size)];
  expect(cases.length).toBeGreaterThan(0);
  expect(twice).toBeLessThan(2.2 * once);
  expect((twice - once) / (size * cases.length)).toBeLessThan(most);
}

interface Told {
  code: string;
  message: string;
  more?: number;
}

/** Whether the problems are bounded, and say how many more there are. */
function expectBounded(problems: readonly Told[] = [], least = 0): void {
  const last = problems[mostProblems];
  expect(problems.length).toBeLessThanOrEqual(mostProblems + 1);
  if (last) expect(last.message).toMatch(/^The input has \d+ more problems?, which (is|are) not listed\.$/);
  expect(Math.min(problems.length, mostProblems) + (last?.more ?? 0)).toBeGreaterThanOrEqual(least);
}

/** Names that nothing has, and names that are almost those of a field. */
const kinds: Record<string, (type: GraphQLInputType) => string> = {
  'unknown names': () => 'k',
  'almost right names': (type) => {
    const named = getNamedType(type);
    return (isInputObjectType(named) && Object.keys(named.getFields())[0]) || 'k';
  },
};

const unknown = (size: number, name: string) =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`${name}${index}`, 1]));

/** A value of which everything is wrong: about so many unknown names, lines of wrong fields, and fields of wrong types. */
function wrongFor(type: GraphQLInputType, size: number, name: string): unknown {
  const plain = getNullableType(type);
  if (isListType(plain)) return Array.from({ length: 4 }, () => wrongFor(plain.ofType, size / 4, name));
  if (!isInputObjectType(plain)) return Array.from({ length: size }, () => 1.5);
  const fields = Object.values(plain.getFields()).map((field) => {
    const isLines = isListType(getNullableType(field.type)) && isInputObjectType(getNamedType(field.type));
    return [field.name, isLines ? Array.from({ length: size / 4 }, () => ({ [name]: 1, id: 1 })) : { [name]: 1 }];
  });
  return { ...Object.fromEntries(fields), ...unknown(size, name) };
}

type Field = GraphQLField<unknown, unknown>;

function operationOf(kind: string, { name, args, type }: Field): string {
  const declared = args.map((argument) => `$${argument.name}: ${argument.type}`);
  const given = args.map((argument) => `${argument.name}: $${argument.name}`);
  const answer = getNamedType(type);
  const hasUserErrors = isObjectType(answer) && answer.getFields().userErrors !== undefined;
  const selection = isLeafType(answer) ? '' : hasUserErrors ? '{ userErrors { message } }' : '{ __typename }';
  return `${kind} (${declared}) { ${name}(${given}) ${selection} }`;
}

const wrongArguments = (args: readonly GraphQLArgument[], size: number, kind: string) =>
  Object.fromEntries(args.map(({ name, type }) => [name, wrongFor(type, size, kinds[kind]?.(type) ?? '')]));

/** The fields of a root, by the verbs at the beginning of their names. */
function fieldsByVerb(kind: 'mutation' | 'query'): [verb: string, kind: string, fields: Field[]][] {
  const root = kind === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const verbs = new Map<string, Field[]>();
  for (const field of Object.values(root?.getFields() ?? {})) {
    if (field.args.length === 0) continue;
    const verb = kind === 'query' ? 'read' : (/^[a-z]+(Many)?/.exec(field.name)?.[0] ?? '');
    verbs.set(verb, [...(verbs.get(verb) ?? []), field]);
  }
  return [...verbs].map(([verb, fields]) => [verb, kind, fields]);
}

/** Texts of documents with so many mistakes of one kind. */
const documents: Record<string, (each: (form: (index: number) => string) => string) => string> = {
  'unknown fields': (each) => `{ assetRepairs { nodes { ${each((index) => `f${index}`)} } } }`,
  'unknown fields in lines': (each) => `{ assetRepairs { nodes { ${each((index) => `f${index}\n`)} } } }`,
  'unknown arguments': (each) => `{ assetRepairs(${each((index) => `f${index}: 1`)}) { totalCount } }`,
  'the same argument': (each) => `{ assetRepairs(${each(() => 'first: 1')}) { totalCount } }`,
  'unknown fragments': (each) => `{ ${each((index) => `...f${index}`)} }`,
  'unused variables': (each) => `query (${each((index) => `$v${index}: Int`)}) { __typename }`,
  'variables of unknown types': (each) => `query (${each((index) => `$v${index}: Intt`)}) { __typename }`,
  'unknown variables': (each) =>
    `{ assetRepairs(where: {asset: {in: [${each((index) => `$v${index}`)}]}}) { totalCount } }`,
  'wrong values': (each) => `{ assetRepairs(where: {asset: {in: [${each(() => '1')}]}}) { totalCount } }`,
  'unknown names in a value': (each) => `{ assetRepairs(where: {${each((index) => `k${index}: 1`)}}) { totalCount } }`,
  'incomplete lines': (each) =>
    `mutation { createAssetRepair(input: {consumedItems: [${each(() => '{}')}]}) { userErrors { message } } }`,
};

describe.each(['sqlite', 'postgresql'] as const)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await sharedGateway(database, true);
  });

  describe.each(Object.keys(kinds))('%s', (kind) => {
    test.each([...fieldsByVerb('mutation'), ...fieldsByVerb('query')])(
      'in the arguments of all fields that %s (%s)',
      async (_, root, fields) => {
        await expectLinear(fields, 400, async (field, size) => {
          const { body } = await gateway.graphql(operationOf(root, field), wrongArguments(field.args, size, kind));
          const [fault] = body.errors ?? [];
          expect(body.data?.[field.name] ?? undefined).toBeUndefined();
          const isInput =
            root === 'mutation' && field.args.some(({ type }) => isInputObjectType(getNullableType(type)));
          if (fault.extensions.code === 'BAD_USER_INPUT') expectBounded(fault.extensions.errors, isInput ? size : 1);
          else expect(fault.extensions.code).toBe('QUERY_TOO_COMPLEX');
        });
      },
    );

    test.each(['create', 'update', 'reorder'])('in the bodies of all endpoints that %s', async (verb) => {
      const endpoints = restOperations.filter(({ operation, body }) => body && operation === verb);
      await expectLinear(endpoints, 400, async (endpoint, size) => {
        const name = kind === 'unknown names' ? 'k' : ([...(endpoint.body?.members.keys() ?? [])][0] ?? 'k');
        const known = Object.fromEntries([...(endpoint.body?.members.keys() ?? [])].map((each) => [each, { k: 1 }]));
        const { body } = await gateway.rest(endpoint.method, pathOf(endpoint), { ...known, ...unknown(size, name) });
        expectBounded(body.error.errors, size);
      });
    });
  });

  test('in the parameters of all endpoints that list, and of the feeds', async () => {
    const lists = restOperations.filter(({ operation }) => operation === 'list').map(pathOf);
    await expectLinear([...lists, '/api/changes', '/api/events'], 200, async (path, size) => {
      const list = Array.from({ length: size }, (_, index) => `asset-repai${index}`);
      const query = `limit=x&offset=x&parent_id=&types=${list}&${list.map((name) => `${name}=1`).join('&')}`;
      const { body } = await gateway.rest('GET', `${path}?${query}`, undefined, { accept: 'text/event-stream, */*' });
      expectBounded(body.error.errors, 1);
    });
  });

  test.each(Object.entries(documents))('in a document with %s', async (_, textOf) => {
    const send = async (make: typeof textOf, size: number) => {
      const text = make((form) => Array.from({ length: size }, (_each, index) => form(index)).join(' '));
      const { body } = await gateway.graphql(text);
      expect(body.errors.length).toBeGreaterThan(0);
      expect(body.errors.length).toBeLessThanOrEqual(mostProblems + 1);
    };
    await expectLinear([textOf], 400, send, mostForOne.text);
  });
});

const pathOf = ({ path, resource }: RestOperation) =>
  path.replace('{id}', `${resource.slug}_01kahzqe0v3m7c2f9x5w8yt4bd`);

test('in the lines of an import, of all types', async () => {
  const check = documentCheck(resources, false);
  await expectLinear(documentTypes(resources), 400, ({ model, lines }, size) => {
    const lists = lines.map(({ field }) => [field, Array.from({ length: size }, () => ({ k: 1, idx: 1.5 }))]);
    const document = { __typename: model, ...Object.fromEntries(lists), ...unknown(size, 'k') };
    const { problems } = check({ line: 1, text: '' }, document);
    expect(problems.length).toBeLessThan(mostProblems + 4);
    expect(problems.reduce((sum, { more = 1 }) => sum + more, 0)).toBeGreaterThanOrEqual(size);
  });
});
