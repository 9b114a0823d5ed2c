/** The cost of a page at a deep offset: the index entries within its block, and a row for each block. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockSize } from '../../prisma/record-blocks/blocks.js';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { addFunctions } from '../../src/database/sqlite/sqlite-functions.js';
import { tendBlocks } from '../support/blocks.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';
import { Sqlite } from '../support/sqlite-library.js';

const resource = resourceOf('AssetRepair');

/** Three blocks: two of their size, and the open one with the rest. */
const rest = 4000;
const total = 2 * blockSize + rest;

/**
 * The number of entries that are walked from the newest, and from the beginning of a block, and the number of records
 * shown.
 */
const pages = [
  { offset: 1, walked: [2, 0], shown: 20 },
  { offset: 1000, walked: [1001, 0], shown: 20 },
  { offset: 1500, walked: [1501, 0], shown: 20 },
  { offset: rest - 1, walked: [0, 1], shown: 20 },
  { offset: rest, walked: [rest + 1, 0], shown: 20 },
  { offset: rest + blockSize - 1, walked: [0, 1], shown: 20 },
  { offset: rest + blockSize + 99, walked: [0, blockSize - 99], shown: 20 },
  { offset: total - 1, walked: [0, 1], shown: 1 },
];

/** A gateway with `count` records, and the statement of a page of this size with its total. */
function manyRepairs(provider: Provider, { total, size }: { total: number; size: number }) {
  let gateway: TestGateway;
  let ran: { sql: string; values: readonly unknown[] }[] = [];

  beforeAll(async () => {
    const onStatement = (sql: string, values: readonly unknown[]) => void ran.push({ sql, values });
    gateway = await startGateway({ database: provider, onStatement });
    const { client } = gateway.database;
    await client.$executeRawUnsafe(fillStatement(provider, resource, total));
    await tendBlocks(gateway.database, resource);
    if (provider === 'postgresql') await client.$executeRawUnsafe('VACUUM ANALYZE');
  });
  afterAll(() => gateway.close());

  return {
    gateway: () => gateway,
    async pageAt(offset: number) {
      ran = [];
      expect((await gateway.rest('GET', `${resource.base}?offset=${offset}&limit=${size}`)).status).toBe(200);
      const [page] = ran.filter(({ sql }) => sql.startsWith('WITH counted'));
      if (!page) throw new Error(`No page among ${JSON.stringify(ran)}`);
      return page;
    },
  };
}

describe('on postgresql', () => {
  const { gateway, pageAt } = manyRepairs('postgresql', { total, size: 20 });
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client(gateway().config.databaseUrl);
    await client.connect();
  });
  afterAll(() => client.end());

  /** The nodes of a plan, made for these values or for any, with the measurements of its execution. */
  async function ranAs(offset: number, mode: string) {
    const { sql, values } = await pageAt(offset);
    await client.query(`SET plan_cache_mode = ${mode}`);
    await client.query(`PREPARE page AS ${sql}`);
    const given = values.map((value) => client.escapeLiteral(String(value))).join(', ');
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page(${given})`);
    await client.query('DEALLOCATE page');
    return [...nodesOf(rows[0]['QUERY PLAN'][0].Plan)];
  }

  test.each(['force_custom_plan', 'force_generic_plan'].flatMap((mode) => pages.map((page) => ({ mode, ...page }))))(
    'at $offset, $mode: the index is walked within a block',
    async ({ mode, offset, walked, shown }) => {
      const nodes = await ranAs(offset, mode);
      const read = (table: string) =>
        nodes
          .filter((node) => node['Relation Name'] === table)
          .map((node) => [node['Node Type'], node['Actual Rows'] * node['Actual Loops']] as const)
          .filter(([, rows]) => rows > 0);
      expect(read(resource.model)).toEqual([
        ...walked.filter((entries) => entries > 0).map((entries) => ['Index Only Scan', entries]),
        ['Index Scan', shown],
      ]);
      // Its sixteen shards, for the total, and the blocks where they are needed.
      expect(read('RecordCount').map(([, rows]) => rows)).toEqual([16]);
      expect(read('RecordBlock').map(([, rows]) => rows)).toEqual(offset > 1000 ? [3] : []);
    },
  );
});

describe('on sqlite', () => {
  const { gateway, pageAt } = manyRepairs('sqlite', { total, size: 20 });

  /** The number of records that are read: a view replaces their table and passes each through a counting function. */
  async function seenAt(offset: number): Promise<number> {
    const { sql, values } = await pageAt(offset);
    const database = new Sqlite(sqlitePath(gateway().config.databaseUrl), { readonly: true });
    addFunctions(database);
    let seen = 0;
    database.function('seen', () => {
      seen += 1;
      return 1;
    });
    const name = `"${resource.model}"`;
    database.exec(`CREATE TEMP VIEW ${name} AS SELECT * FROM main.${name} WHERE seen()`);
    database.prepare(sql).all(Object.fromEntries(values.map((value, index) => [index + 1, value])));
    database.close();
    return seen;
  }

  test.each(pages)(
    'at $offset: the index is walked within a block',
    async ({ offset, walked: [newest = 0, block = 0], shown }) => {
      expect(await seenAt(offset)).toBe(newest + block + shown);
    },
  );
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const below of node.Plans ?? []) yield* nodesOf(below);
}
