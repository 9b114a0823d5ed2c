import { beforeAll, describe, expect, test } from 'vitest';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepair, createRepairs, repairInput, upTo } from './asset-repairs.js';

describe.each([true, false])('compiled: %s', (compiled) => {
  onDatabaseInTurn(
    import.meta.filename,
    (gateway) => {
      /** 25 records; a list has 25, the newest first, and a parent has 25 lines in their order. */
      const list = { newestFirst: [] as string[], byPosition: [] as string[] };
      let parentId = '';

      beforeAll(async () => {
        const parent = await createRepair(gateway(), repairInput({ consumedItems: 25 }));
        parentId = parent.id;
        list.byPosition = parent.items;
        list.newestFirst = [parent.id, ...(await createRepairs(gateway(), 24))].reverse();
      });

      describe.each([
        ['newestFirst', 'assetRepairs', ''],
        ['byPosition', 'assetRepairConsumedItems', 'parentId: $parentId,'],
      ] as const)('a list, %s', (order, field, scope) => {
        /** The places, 1 to 25, of the records on a page, and its `pageInfo`. */
        async function page(args: Record<string, unknown>) {
          const { page } = await ask(gateway(), query, { parentId, ...args });
          const places = page.nodes.map(({ id }: { id: string }) => list[order].indexOf(id) + 1);
          const edges: { cursor: string; node: { id: string } }[] = page.edges;
          expect(edges.map(({ node }) => node)).toEqual(page.nodes);
          expect(page.totalCount).toBe(25);
          expect(page.pageInfo.startCursor).toBe(edges[0]?.cursor ?? null);
          expect(page.pageInfo.endCursor).toBe(edges.at(-1)?.cursor ?? null);
          return { places, previous: page.pageInfo.hasPreviousPage, next: page.pageInfo.hasNextPage, edges };
        }

        const query = `query ($parentId: ID!, $first: Int, $after: String, $last: Int, $before: String, $offset: Int) {
          page: ${field}(${scope} first: $first, after: $after, last: $last, before: $before, offset: $offset) {
            nodes { id }
            edges { cursor node { id } }
            pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
            totalCount
          }
        }`.replace(order === 'newestFirst' ? '$parentId: ID!, ' : '', '');

        /** The cursor of the record at this place. */
        const at = async (place: number) => (await page({ first: 25 })).edges[place - 1]?.cursor;

        test.each([
          ['20 by default', {}, 1, 20, false, true],
          ['as many as `first` says', { first: 3 }, 1, 3, false, true],
          ['all there are', { first: 25 }, 1, 25, false, false],
          ['no more than there are', { first: 1000 }, 1, 25, false, false],
          ['behind `after`', { first: 3, after: 5 }, 6, 8, true, true],
          ['to the end', { first: 20, after: 5 }, 6, 25, true, false],
          ['nothing behind the last', { first: 5, after: 25 }, 26, 25, true, false],
          ['from the end', { last: 3 }, 23, 25, true, false],
          ['from the end, all there are', { last: 25 }, 1, 25, false, false],
          ['in front of `before`', { last: 3, before: 10 }, 7, 9, true, true],
          ['up to the start', { last: 20, before: 10 }, 1, 9, false, true],
          ['nothing in front of the first', { last: 5, before: 1 }, 1, 0, false, true],
          ['none, from the start', { first: 0 }, 1, 0, false, true],
          ['none, behind `after`', { first: 0, after: 5 }, 6, 5, true, true],
          ['none, behind the last', { first: 0, after: 25 }, 26, 25, true, false],
          ['none, behind skipped ones', { first: 0, offset: 5 }, 6, 5, true, true],
          ['none, from the end', { last: 0 }, 26, 25, true, false],
          ['none, in front of `before`', { last: 0, before: 10 }, 10, 9, true, true],
          ['between two cursors, from the start', { first: 2, after: 5, before: 10 }, 6, 7, true, true],
          ['between two cursors, from the end', { last: 2, after: 5, before: 10 }, 8, 9, true, true],
          ['20 in front of `before` alone', { before: 23 }, 3, 22, true, true],
          ['from the start up to `before`', { first: 20, before: 4 }, 1, 3, false, false],
          ['up to `before`, behind skipped ones', { before: 6, offset: 2 }, 3, 5, true, false],
          ['behind `offset`', { first: 3, offset: 5 }, 6, 8, true, true],
          ['with an offset of 0', { first: 3, offset: 0 }, 1, 3, false, true],
          ['with an offset to the end', { first: 10, offset: 20 }, 21, 25, true, false],
          ['with an offset beyond the end', { first: 10, offset: 25 }, 26, 25, true, false],
          ['with the largest offset', { first: 10, offset: 2147483647 }, 26, 25, true, false],
          ['behind a cursor and an offset', { first: 3, after: 5, offset: 2 }, 8, 10, true, true],
          ['behind a cursor and the largest offset', { after: 5, offset: 2147483647 }, 26, 25, true, false],
        ])('%s', async (_, { after, before, ...args }: Arguments, from, to, previous, next) => {
          const cursors = { after: after && (await at(after)), before: before && (await at(before)) };
          const { edges, ...found } = await page({ ...args, ...cursors });
          expect(found).toEqual({ places: upTo(to).slice(from - 1), previous, next });
        });

        test('walked from either end, page by page, shows every record once', async () => {
          const forwards: number[] = [];
          for (let after: string | undefined, next = true; next; ) {
            const found = await page({ first: 7, after });
            forwards.push(...found.places);
            [after, next] = [found.edges.at(-1)?.cursor, found.next];
          }
          expect(forwards).toEqual(upTo(25));

          const backwards: number[] = [];
          for (let before: string | undefined, previous = true; previous; ) {
            const found = await page({ last: 7, before });
            backwards.unshift(...found.places);
            [before, previous] = [found.edges[0]?.cursor, found.previous];
          }
          expect(backwards).toEqual(upTo(25));
        });

        test.each([
          [{ first: -1 }, 'first', /from 0 to 1000/],
          [{ first: 1001 }, 'first', /from 0 to 1000/],
          [{ last: -1 }, 'last', /from 0 to 1000/],
          [{ last: 1001 }, 'last', /from 0 to 1000/],
          [{ offset: -1 }, 'offset', /0 or more/],
          [{ last: 5, offset: 1 }, 'offset', /cannot be combined/],
          [{ after: 'no cursor' }, 'after', /cursor that this list returned/],
          [{ before: '' }, 'before', /cursor that this list returned/],
          [{ after: Buffer.from('{}').toString('base64url') }, 'after', /cursor that this list returned/],
          [{ after: Buffer.from('[1,2,3]').toString('base64url') }, 'after', /cursor that this list returned/],
        ])('refuses %o', async (args, param, message) => {
          const { extensions } = await refusal(gateway(), query, { parentId, ...args });
          expect(extensions).toMatchObject({
            code: 'BAD_USER_INPUT',
            reason: 'parameter_invalid',
            errors: [{ param, code: 'parameter_invalid', message: expect.stringMatching(message) }],
          });
        });
      });

      test('a list of lines takes no cursor of a list of records, nor the other way round', async () => {
        const { repairs, items } = await ask(
          gateway(),
          `query ($parentId: ID!) {
            repairs: assetRepairs { pageInfo { endCursor } }
            items: assetRepairConsumedItems(parentId: $parentId) { pageInfo { endCursor } }
          }`,
          { parentId },
        );
        const mixed = [
          ['assetRepairs(after: $cursor)', items],
          ['assetRepairConsumedItems(parentId: "p", after: $cursor)', repairs],
        ];
        for (const [field, { pageInfo }] of mixed) {
          const error = await refusal(gateway(), `query ($cursor: String) { ${field} { totalCount } }`, {
            cursor: pageInfo.endCursor,
          });
          expect(error.extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ param: 'after' }] });
        }
      });

      test('the lines of an unknown parent are an empty page', async () => {
        const query = `{ page: assetRepairConsumedItems(parentId: "asset-repair_unknown") {
          nodes { id } edges { cursor } totalCount pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
        } }`;
        expect((await ask(gateway(), query)).page).toEqual({
          nodes: [],
          edges: [],
          totalCount: 0,
          pageInfo: { hasPreviousPage: false, hasNextPage: false, startCursor: null, endCursor: null },
        });
      });
    },
    { compiled },
  );
});

interface Arguments {
  first?: number;
  last?: number;
  offset?: number;
  /** Places; the test sends their cursors. */
  after?: number;
  before?: number;
}
