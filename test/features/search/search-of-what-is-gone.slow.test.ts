/** `search` returns only existing records: index rows of missing records do not count, and do not end its pages. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspect } from '../../../src/database/inspection.js';
import type { OpenedDatabase } from '../../../src/database/open-database.js';
import { repair } from '../../../src/features/check/check-database.js';
import { searchIndex } from '../../../src/features/search/check-index.js';
import { indexExisting } from '../../../src/features/search/index/index-existing.js';
import { turnSearchOff, turnSearchOn } from '../../../src/features/search/search-state.js';
import { isSearched } from '../../../src/features/search/searched-fields.js';
import { features } from '../../../src/features.js';
import { ask } from '../../graphql/ask.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  /** Called once, between the search of the index and the read of the records. */
  let between: (() => Promise<unknown>) | undefined;
  const altered = (real: OpenedDatabase): OpenedDatabase => {
    const client = new Proxy(real.client, {
      get: (target, name) => {
        if (name !== '$queryRaw') return Reflect.get(target, name);
        return async (...given: Parameters<typeof target.$queryRaw>) => {
          const rows: unknown = await target.$queryRaw(...given);
          const text = JSON.stringify(given[0]);
          if (between && text.includes('AS \\"rank\\"')) {
            const work = between;
            between = undefined;
            await work();
          }
          return rows;
        };
      },
    });
    return new Proxy(real, { get: (target, name) => (name === 'client' ? client : Reflect.get(target, name)) });
  };
  beforeAll(async () => {
    gateway = await startGateway({ database, env: { SEARCH: 'true' }, altered });
  });
  afterAll(() => gateway.close());

  async function make(industry: string): Promise<string> {
    return (await gateway.rest('POST', '/api/crm/industry-type', { industry })).body.id;
  }
  const remove = async (id: string, by = gateway) => {
    expect((await by.rest('DELETE', `/api/crm/industry-type/${id}`)).status).toBe(200);
  };
  const find = async (query: string, more: object = {}) => {
    const selected = '{ totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor } }';
    const text = `query ($query: String!, $first: Int, $after: String) { search(query: $query, first: $first, after: $after) ${selected} }`;
    const { search } = await ask(gateway, text, { query, ...more });
    return { ...search, ids: search.nodes.map(({ id }: { id: string }) => id) };
  };

  test('a line of a document that is not stored here is none of what is found', async () => {
    const input = { parent_id: 'job-card_nowhere', parent_type: 'Job Card', from_time: 'nightfall' };
    const made = await gateway.rest('POST', '/api/manufacturing/job-card-time-log', input);
    expect(made.status).toBe(201);
    await gateway.rest('PATCH', `/api/manufacturing/job-card-time-log/${made.body.id}`, { to_time: 'nightfalls' });
    expect(await find('nightfall')).toMatchObject({ totalCount: 0, ids: [] });
  });

  test('what was deleted by a process that does not keep the index is gone when it is made anew', async () => {
    const kept = await make('vanishing first');
    const gone = [await make('vanishing second'), await make('vanishing third')];
    const last = await make('vanishing last');
    await gateway.database.perform(turnSearchOff);
    const other = await startGateway({ database, env: { DATABASE_URL: gateway.config.databaseUrl } });
    for (const id of [...gone, last]) await remove(id, other);
    await other.close();
    await gateway.database.perform(() => turnSearchOn(resources.filter(isSearched)));
    await indexExisting(gateway.database, resources);
    expect(await find('vanishing')).toMatchObject({ totalCount: 1, ids: [kept] });
  });

  test('what is gone behind a document with more lines than are forgotten at once', async () => {
    await createRepair(gateway, repairInput({ asset: 'standing', consumedItems: 150 }));
    const path = '/api/assets/asset-repair';
    const gone = await gateway.rest('POST', path, { asset: 'fleeting', failure_date: '2026-01-31' });
    await gateway.database.perform(turnSearchOff);
    const other = await startGateway({ database, env: { DATABASE_URL: gateway.config.databaseUrl } });
    expect((await other.rest('DELETE', `${path}/${gone.body.id}`)).status).toBe(200);
    await other.close();
    await gateway.database.perform(() => turnSearchOn(resources.filter(isSearched)));
    await indexExisting(gateway.database, resources);
    expect(await find('fleeting')).toMatchObject({ totalCount: 0, ids: [] });
    expect(await find('standing')).toMatchObject({ totalCount: 1 });
  });

  test('more of what is gone than is forgotten at once is forgotten, and of no other type', async () => {
    const other = await gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'lasting' });
    await addEntries('vanished', 250);
    await gateway.database.perform(() => forgetState());
    await indexExisting(gateway.database, resources);
    expect(await find('vanished')).toMatchObject({ totalCount: 0, ids: [] });
    expect((await find('lasting')).ids).toEqual([other.body.id]);
  });

  test('records check tells of what is gone, and --fix forgets it', async () => {
    const kept = await make('fading');
    await addEntries('fading', 3);
    expect((await find('fading')).totalCount).toBe(4);
    const problems = () =>
      inspect(gateway.config.databaseUrl, false, (inspection) => searchIndex.problems(inspection, resources));
    expect(await problems()).toHaveLength(3);
    await repair(gateway.config.databaseUrl, features);
    expect(await problems()).toEqual([]);
    expect(await find('fading')).toMatchObject({ totalCount: 1, ids: [kept] });
  });

  /** Index rows of missing records, before and behind all existing ones. */
  async function addEntries(word: string, count: number): Promise<void> {
    for (let number = 0; number < count; number++) {
      const id = `industry-type_${number % 2 === 0 ? '0' : 'z'}${String(number).padStart(25, '0')}`;
      await gateway.database.client.$executeRawUnsafe(
        `INSERT INTO "SearchText" ("model", "documentId", "recordId", "words")
         VALUES ('IndustryType', '${id}', '', '["${word}"]')`,
      );
    }
  }

  function* forgetState() {
    yield* turnSearchOff();
    yield* turnSearchOn(resources.filter(isSearched));
  }

  test.each([0, 1, 2])(
    'a record that goes while a page is read is left out, and the page behind it stays: %i',
    async (place) => {
      const word = `passing${place}`;
      const made: string[] = [];
      for (let number = 0; number < 5; number++) made.unshift(await make(`${word} ${number}`));
      const gone = made[place] ?? '';
      between = () => remove(gone);
      const page = await find(word, { first: 2 });
      expect(between).toBeUndefined();
      const expected = made.slice(0, 2).filter((id) => id !== gone);
      expect(page).toMatchObject({ ids: expected, pageInfo: { hasNextPage: true } });
      const rest = await find(word, { after: page.pageInfo.endCursor });
      expect([...page.ids, ...rest.ids]).toEqual(made.filter((id) => id !== gone));
    },
  );
});
