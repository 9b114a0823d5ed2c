import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../src/idempotency/sweep.js';
import { type Resource, resourceOf, resources, singletonId } from '../../src/model/resource.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatements, recordId } from '../support/many-records.js';
import { type Access, type Plan, type Planner, plannerOf } from '../support/query-plan.js';

const recordTables = new Set<string>(resources.map(({ model }) => model));
/** All rows of these belong to one parent, or there is but one: reading the table is right, so only a way round it is asked for. */
const singles = new Set<Resource>(
  resources.flatMap((one) => (one.kind === 'singleton' ? [one, ...one.lines.map(({ resource }) => resource)] : [])),
);
const lists = resources.filter(({ kind }) => kind === 'resource');
const children = resources.filter(({ kind }) => kind === 'child');

/** Enough that PostgreSQL prefers an index to reading the whole table. */
const rowsPerTable = 2000;
const deep = 1500;

describe.each(providers)('on %s', (provider) => {
  let gateway: TestGateway;
  let planner: Planner;
  let indexed: Planner;
  let statements: { sql: string; values: readonly unknown[] }[] = [];

  beforeAll(async () => {
    gateway = await startGateway({
      database: provider,
      onStatement: (sql, values) => void statements.push({ sql, values }),
    });
    const { client } = gateway.database;
    for (const sql of fillStatements(provider, rowsPerTable)) await client.$executeRawUnsafe(sql);
    if (provider === 'postgresql') await client.$executeRawUnsafe('VACUUM ANALYZE');
    planner = await plannerOf(gateway.config.databaseUrl);
    indexed = await plannerOf(gateway.config.databaseUrl, { scans: false });
  });

  afterAll(async () => {
    await planner.close();
    await indexed.close();
    await gateway.close();
  });

  /** The plans of the statements that `work` makes, without those that begin, end or insert. */
  async function plansOf(work: () => Promise<unknown>, by = planner): Promise<(Plan & { sql: string })[]> {
    statements = [];
    await work();
    const made = statements.filter(({ sql }) => /^\s*(SELECT|UPDATE|DELETE|WITH)/i.test(sql));
    const plans = [];
    for (const { sql, values } of made) plans.push({ sql, ...(await by.plan(sql, values)) });
    return plans;
  }

  const rest = async (method: string, path: string, body?: object) => {
    const answer = await gateway.rest(method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
    return answer.body;
  };

  const graphql = async (query: string) => {
    const { body, text } = await gateway.graphql(query);
    expect(body.errors, `${query}: ${text}`).toBeUndefined();
    return body.data;
  };

  test.each(lists)('$title: a list, its pages and its records are found through indexes', async (resource) => {
    const { base, many } = resource;
    const plans = await plansOf(async () => {
      await rest('GET', `${base}/${recordId(resource, 7)}`);
      await rest('GET', base);
      const { page } = await graphql(`{ page: ${many}(first: 5) { edges { cursor } } }`);
      const cursor = page.edges[4].cursor;
      for (const args of [`first: 5, after: "${cursor}"`, `last: 5, before: "${cursor}"`, 'last: 5']) {
        await graphql(
          `{ ${many}(${args}) { totalCount nodes { id version } pageInfo { hasNextPage hasPreviousPage } } }`,
        );
      }
      await graphql(`{ node(id: "${recordId(resource, 7)}") { id } }`);
    });

    expectIndexes(plans);
    expect(plans.length).toBeGreaterThan(10);
  });

  test.each(lists.filter(({ lines }) => lines.length > 0))(
    '$title: lines come with their parents',
    async (resource) => {
      const { one, many, lines } = resource;
      const all = lines.map(({ field }) => `${field} { id idx }`).join(' ');
      const some = lines.map(({ field }) => `${field}(limit: 3, offset: 2) { id idx }`).join(' ');

      const plans = await plansOf(async () => {
        await graphql(`{ ${one}(id: "${recordId(resource, 7)}") { id ${all} } }`);
        await graphql(`{ ${many}(first: 20) { nodes { id ${all} } } }`);
        await graphql(`{ ${many}(first: 20) { nodes { id ${some} } } }`);
      });

      expectIndexes(plans);
    },
  );

  test.each(children)('$title: a list of one parent is found through an index', async (resource) => {
    const { base, many } = resource;
    const parentId = parentOf(resource);
    const plans = await plansOf(
      async () => {
        await rest('GET', `${base}/${recordId(resource, 7)}`);
        await rest('GET', `${base}?parent_id=${parentId}`);
        await rest('GET', `${base}?parent_id=${parentId}&offset=5&limit=5`);
        const page = (args: string) =>
          graphql(`{ page: ${many}(parentId: "${parentId}", ${args}) {
          totalCount edges { cursor node { id ${resource.parents.map(({ field }) => `${field} { id }`).join(' ')} } }
          pageInfo { hasNextPage hasPreviousPage }
        } }`);
        const { cursor } = (await page('first: 5')).page.edges[4];
        for (const args of [`first: 5, after: "${cursor}"`, `last: 2, before: "${cursor}"`, 'last: 5'])
          await page(args);
      },
      singles.has(resource) ? indexed : planner,
    );

    expectIndexes(plans);
  });

  test.each(lists)(
    '$title: a deep offset reads an index and then only the records of the page',
    async ({ base, model }) => {
      const plans = await plansOf(() => rest('GET', `${base}?offset=${deep}&limit=20`));

      const [skipping, fetching] = plans.filter(({ accesses }) => accesses.some(({ table }) => table === model));
      expect(accessTo(model, skipping), skipping?.text).toEqual({ table: model, how: 'walk', indexOnly: true });
      expect(accessTo(model, fetching), fetching?.text).toMatchObject({ how: 'search' });
    },
  );

  test.each(lists)('$title: a page behind a cursor begins at the cursor', async ({ many, model }) => {
    const { page } = await graphql(`{ page: ${many}(first: 1, offset: ${deep}) { edges { cursor } } }`);
    const plans = await plansOf(() =>
      graphql(`{ ${many}(first: 20, after: "${page.edges[0].cursor}") { nodes { id version } } }`),
    );

    const reading = plans.filter((plan) => accessTo(model, plan));
    expect(reading).toHaveLength(1);
    expect(accessTo(model, reading[0]), reading[0]?.text).toMatchObject({ how: 'search' });
    expect(reading[0]).toMatchObject({ sorts: false, limited: true });
  });

  test.each(lists)('$title: the total is read without looking at a record', async ({ many }) => {
    const plans = await plansOf(() => graphql(`{ ${many} { totalCount } }`));

    const tables = plans.flatMap(({ accesses }) => accesses.map(({ table }) => table));
    expect(tables.filter((table) => table !== 'ApiKey')).toEqual(['RecordCount']);
  });

  test.each(resources)('$title: every change finds its rows through indexes', async (resource) => {
    const work = () => (resource.kind === 'child' ? changeLine : change)(resource);
    expectIndexes(await plansOf(work, singles.has(resource) ? indexed : planner));
  });

  test('the gateway itself has an index for each look-up in its own tables', async () => {
    const plans = await plansOf(async () => {
      await rest('GET', '/api/stock/u-o-m-category');
      await change(resourceOf('UOMCategory'));
      await changeLine(resourceOf('SalesInvoicePayment'));
      const headers = { 'idempotency-key': 'once' };
      for (const _ of 'ab') await gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'x' }, headers);
      await sweep(gateway.database);
    }, indexed);

    const own = plans
      .flatMap((plan) => plan.accesses.map((access) => ({ ...access, plan })))
      .filter(({ table }) => !recordTables.has(table));
    for (const { how, plan } of own) expect(how, `${plan.sql}\n${plan.text}`).toBe('search');
    expect(own.map(({ table }) => table)).toEqual(expect.arrayContaining(['RecordCount', 'IdempotentRequest']));
  });

  test('every foreign key begins an index, so that deleting a parent reads its lines only', async () => {
    const planned = children.flatMap(({ model, parents }) => parents.map(({ reference }) => ({ model, reference })));
    for (const { model, reference } of planned) {
      const placeholder = provider === 'sqlite' ? '?' : '$1';
      const plan = await planner.plan(`DELETE FROM "${model}" WHERE "${reference}" = ${placeholder}`, ['x']);
      expect(accessTo(model, plan), plan.text).toMatchObject({ how: 'search' });
    }
  });

  async function change(resource: Resource): Promise<void> {
    const { base, kind } = resource;
    if (kind === 'singleton') return void (await rest('PATCH', `${base}/${singletonId(resource)}`, {}));
    const { id } = await rest('POST', base, bodyOf(resource));
    await rest('PATCH', `${base}/${id}`, bodyOf(resource));
    if (resource.documentLike) for (const action of ['submit', 'cancel']) await rest('POST', `${base}/${id}/${action}`);
    await rest('DELETE', `${base}/${id}`);
  }

  async function changeLine(resource: Resource): Promise<void> {
    const { base } = resource;
    const { parentField, parentId } = { parentField: scopeName(resource), parentId: parentOf(resource) };
    const { id } = await rest('POST', base, { ...bodyOf(resource), [parentField]: parentId, idx: 3 });
    await rest('PATCH', `${base}/${id}`, { idx: 7 });
    await rest('POST', `${base}/reorder`, { parent_id: parentId });
    await rest('DELETE', `${base}/${id}`);
  }
});

/** No statement reads a whole table of records, nor puts more rows in order than an index has narrowed them to. */
function expectIndexes(plans: (Plan & { sql: string })[]): void {
  for (const plan of plans) {
    for (const access of plan.accesses.filter(({ table }) => recordTables.has(table))) {
      const walksToAnEnd = access.how === 'walk' && plan.limited && !plan.sorts;
      expect(access.how === 'search' || walksToAnEnd, `${plan.sql}\n${plan.text}`).toBe(true);
    }
  }
}

function accessTo(table: string, plan: Plan | undefined): Access | undefined {
  return plan?.accesses.find((access) => access.table === table);
}

function parentOf(resource: Resource): string {
  const parent = resource.parents[0]?.resource;
  if (!parent) return 'invoice 1';
  return parent.kind === 'singleton' ? singletonId(parent) : recordId(parent, 1);
}

function scopeName({ fields, scope }: Resource): string {
  return fields.find(({ name }) => name === scope)?.restName ?? '';
}

/** The required fields but the reference to a parent. */
function bodyOf({ fields, scope }: Resource): Record<string, unknown> {
  const values = { String: 'some text', Float: 1.5, Int: 1, Boolean: true };
  const required = fields.filter(({ name, required }) => required && name !== scope && name !== 'idx');
  return Object.fromEntries(required.map(({ restName, type }) => [restName, values[type]]));
}
