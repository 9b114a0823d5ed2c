/** A search reads the range of a word that is rare in all types together, however often the others are in some of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSearched } from '../../../src/features/search/searched-fields.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';

const searched = resources.filter(isSearched);
const [crowded] = searched;

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  let statements: { sql: string; values: readonly unknown[] }[] = [];

  beforeAll(async () => {
    const onStatement = (sql: string, values: readonly unknown[]) => void statements.push({ sql, values });
    gateway = await startGateway({ database, env: { SEARCH: 'true' }, onStatement });
    const insert = (resource: (typeof searched)[number] | undefined, from: number, count: number, words: string[]) =>
      gateway.database.client.$executeRawUnsafe(
        `INSERT INTO "SearchText" ("model", "documentId", "recordId", "words")
         SELECT '${resource?.model}', '${resource?.slug}_' || (${from} + i), '', '${JSON.stringify(words)}' FROM ${numbers(count)}`,
      );
    const numbers = (count: number) =>
      database === 'sqlite'
        ? `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n)`
        : `generate_series(1, ${count}) AS n(i)`;
    // One type has `everywhere` 40,000 times and `often` 400 times, each type has `few` 40 times.
    await insert(crowded, 1_000_000, 40_000, ['everywhere']);
    await insert(crowded, 2_000_000, 400, ['often']);
    for (const each of searched) await insert(each, 3_000_000, 40, ['few']);
    await gateway.database.client.$executeRawUnsafe(database === 'sqlite' ? 'ANALYZE' : 'VACUUM ANALYZE');
  }, 120_000);
  afterAll(() => gateway.close());

  const lookedFor = async (query: string) => {
    statements = [];
    const { body, text } = await gateway.graphql(query);
    expect(body.errors, text).toBeUndefined();
    const [finding] = statements.filter(({ sql }) => sql.includes('"SearchText"'));
    return finding?.values.filter((value) => typeof value === 'string' && /^%"[^"]*%$/.test(value));
  };

  test('one that is in all types is rarer than one that is very often in one', async () => {
    expect(await lookedFor('{ search(query: "everywhere few") { totalCount } }')).toEqual(['%"everywhere%']);
  });

  test('one that is often in a type is rarer than a longer one that is there a hundred times as often', async () => {
    expect(await lookedFor('{ search(query: "everywhere often") { totalCount } }')).toEqual(['%"everywhere%']);
  });
});
