/** A search reads a range of the index for each type, and the rows found there: never a whole table. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSearched } from '../../../src/features/search/searched-fields.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { type Planner, plannerOf } from '../../support/query-plan.js';
import { resources } from '../../support/resources.js';

const searched = resources.filter(isSearched);
const perType = 2_000;

const ranges = {
  sqlite: /SEARCH w USING .*\(model=\? AND word>\? AND word<\?\)/,
  postgresql: /"Index Cond": "[^"]*model = ANY [^\n]*word >= [^\n]*word < /,
};

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  let planner: Planner;
  let statements: { sql: string; values: readonly unknown[] }[] = [];

  beforeAll(async () => {
    const onStatement = (sql: string, values: readonly unknown[]) => void statements.push({ sql, values });
    gateway = await startGateway({ database, env: { SEARCH: 'true' }, onStatement });
    // As many documents of each type, all with the word `widespread` and each with a word of its own.
    const numbers =
      database === 'sqlite'
        ? `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${perType}) SELECT i FROM n)`
        : `generate_series(1, ${perType}) AS n(i)`;
    for (const { model, slug } of searched) {
      await gateway.database.client.$executeRawUnsafe(
        `INSERT INTO "SearchText" ("model", "documentId", "recordId", "words")
         SELECT '${model}', '${slug}_' || (1000000 + i), '', '["widespread","own' || i || '"]' FROM ${numbers}`,
      );
    }
    await gateway.database.client.$executeRawUnsafe(database === 'sqlite' ? 'ANALYZE' : 'VACUUM ANALYZE');
    planner = await plannerOf(gateway.config.databaseUrl);
  }, 120_000);
  afterAll(async () => {
    await planner.close();
    await gateway.close();
  });

  async function plansOf(query: string) {
    statements = [];
    const { body, text } = await gateway.graphql(query);
    expect(body.errors, text).toBeUndefined();
    const planned = ({ sql, values }: (typeof statements)[number]) => planner.plan(sql, values);
    const asking = (table: string) => statements.filter(({ sql }) => sql.includes(table));
    const [finding, counting] = [asking('"SearchText"'), asking('"SearchState"')];
    return {
      body,
      finding,
      plans: await Promise.all(finding.map(planned)),
      counts: await Promise.all(counting.map(planned)),
    };
  }

  test.each(['own1999', 'own1999 widespread', 'widespread own1999 own1'])('%s, in all types', async (words) => {
    const { body, finding, plans, counts } = await plansOf(`{ search(query: "${words}") { totalCount nodes { id } } }`);
    expect(body.data.search.totalCount).toBe(searched.length);
    expect(plans).toHaveLength(2);
    // The word that all documents have is looked for among those that the other finds, though it is longer.
    for (const { values } of finding) expect(values.includes('%"widespread%')).toBe(words.includes('widespread'));
    expect(counts).toHaveLength(1);
    for (const { accesses, text } of counts) {
      const read = accesses.filter(({ table }) => table === 'SearchWord');
      expect(read, text).toHaveLength(words.split(' ').length > 1 ? words.split(' ').length : 0);
      for (const { how } of read) expect(how, text).toBe('search');
    }
    for (const { accesses, text } of plans) {
      const read = accesses.filter(({ table }) => /^Search/.test(table));
      expect(new Set(read.map(({ table }) => table)), text).toEqual(new Set(['SearchWord', 'SearchText']));
      expect(
        read.map(({ how }) => how).filter((how) => how !== 'search'),
        text,
      ).toEqual([]);
      // The entries of each type between two words, and not those of all types.
      expect(text).toMatch(ranges[database]);
    }
  });
});
