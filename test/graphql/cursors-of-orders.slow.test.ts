/**
 * In every order the cursors lead through the whole list: each record once, from either end, also while records are
 * created and deleted. The expected order is computed here in JavaScript.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { thorough } from '../support/thorough.js';
import { ask, refusal } from './ask.js';
import { createQuotations } from './quotations.js';

interface Quotation {
  id: string;
  territory: string | null;
  grandTotal: number | null;
  groupSameItems: boolean;
  conversionRate: number;
  createdAt: string;
  updatedAt: string;
}
type Field = keyof Quotation;

interface Key {
  field: Field;
  direction: 'ASC' | 'DESC';
  nulls: 'FIRST' | 'LAST';
}

// In the order of code points, in which neither UTF-16 nor any language sorts.
const texts = ['', 'A', 'Z', 'a', 'z', 'Ä', 'ä', '\uffee', '😀', null, null];
const numbers = [-1e300, -0.5, 0, 5e-324, 0.30000000000000004, 2 ** 53, 1.0987392948039692e278, null];

const records = Array.from({ length: 33 }, (_, index) => ({
  company: 'walked',
  territory: texts[index % texts.length],
  grandTotal: numbers[(index * 5) % numbers.length],
  groupSameItems: index % 3 === 0,
  conversionRate: index % 4,
}));

const key = (field: Field, direction: Key['direction'] = 'ASC', nulls: Key['nulls'] = 'LAST'): Key => ({
  field,
  direction,
  nulls,
});

const orders: Key[][] = [
  [key('territory')],
  [key('territory', 'DESC')],
  [key('territory', 'ASC', 'FIRST')],
  [key('territory', 'DESC', 'FIRST')],
  [key('grandTotal')],
  [key('grandTotal', 'DESC', 'FIRST')],
  [key('groupSameItems')],
  [key('groupSameItems', 'DESC'), key('grandTotal', 'ASC', 'FIRST')],
  [key('conversionRate', 'DESC'), key('territory', 'ASC', 'FIRST'), key('grandTotal', 'DESC')],
  [key('createdAt')],
  [key('updatedAt', 'DESC'), key('groupSameItems')],
  [key('id', 'ASC')],
  [key('groupSameItems'), key('createdAt', 'DESC'), key('id', 'ASC')],
  [],
];

/** Databases sort texts, numbers and nulls differently. */
const isOfItsOwn = (order: Key[]) => order.some(({ field }) => field === 'territory' || field === 'grandTotal');

onBothDatabases((gateway, share) => {
  const mine = [...orders.filter(isOfItsOwn), ...share(orders.filter((order) => !isOfItsOwn(order)))];
  let all: Quotation[] = [];

  beforeAll(async () => {
    await createQuotations(gateway(), records);
    const fields = 'id territory grandTotal groupSameItems conversionRate createdAt updatedAt';
    const { quotations } = await ask(gateway(), `{ quotations(first: 1000) { nodes { ${fields} } } }`);
    all = quotations.nodes;
  });

  describe.each(mine.map((order) => [shown(order), order] as const))('by %s', (_, order) => {
    test('the whole list stands as it should', async () => {
      const { ids } = await page(order, { first: 1000 });
      expect(ids).toEqual(sorted(all, order));
    });

    test.each([
      ['first', 'after', 4],
      ['last', 'before', 5],
    ] as const)('%s and %s lead through it in pages of %i', async (size, beyond, count) => {
      const expected = sorted(all, order);
      const walked: string[] = [];
      let cursor: string | undefined;
      do {
        const { ids, info, start, end } = await page(order, { [size]: count, ...(cursor ? { [beyond]: cursor } : {}) });
        const isForward = size === 'first';
        walked.splice(isForward ? walked.length : 0, 0, ...ids);
        const isDone = walked.length >= expected.length;
        expect(info).toEqual(
          isForward
            ? { hasNextPage: !isDone, hasPreviousPage: cursor !== undefined }
            : { hasNextPage: cursor !== undefined, hasPreviousPage: !isDone },
        );
        cursor = isDone ? undefined : isForward ? end : start;
      } while (cursor);
      expect(walked).toEqual(expected);
    });

    test('between two cursors are exactly the records between them', async () => {
      const expected = sorted(all, order);
      const { cursors } = await page(order, { first: 1000 });
      const { ids } = await page(order, { after: cursors[9], before: cursors[30], first: 1000 });
      expect(ids).toEqual(expected.slice(10, 30));
      const { ids: behind } = await page(order, { after: cursors[9], offset: 3, first: 4 });
      expect(behind).toEqual(expected.slice(13, 17));
    });
  });

  // Of one key and of several, with nulls at either end, and the order that needs none.
  const someOrders = orders.filter((_, index) => thorough || index % 4 === 1);
  test.each(someOrders.map((order) => [shown(order), order] as const))(
    'by %s: who walks while records come and go sees every record that stays, once and in order',
    async (_, order) => {
      const staying = sorted(all, order);
      const seen: string[] = [];
      const passing = await createQuotations(gateway(), records.slice(0, 22));
      let cursor: string | undefined;
      do {
        const { ids, info, end } = await page(order, { first: 5, ...(cursor ? { after: cursor } : {}) });
        seen.push(...ids);
        cursor = info.hasNextPage ? end : undefined;
        // Records that were seen and records to come, including the one at the cursor.
        const leaving = passing.splice(0, 4);
        const atCursor = ids.filter((id) => passing.includes(id)).slice(-1);
        await remove([...leaving, ...atCursor]);
        passing.splice(0, passing.length, ...passing.filter((id) => !atCursor.includes(id)));
        if (seen.length < 60) passing.push(...(await createQuotations(gateway(), records.slice(3, 6))));
      } while (cursor);
      await remove(passing);
      expect(seen.filter((id) => staying.includes(id))).toEqual(staying);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  test.each([
    ['another field', [key('grandTotal')]],
    ['the other direction', [key('territory', 'DESC')]],
    ['nulls elsewhere', [key('territory', 'ASC', 'FIRST')]],
    ['one field more', [key('territory'), key('grandTotal')]],
    ['no order', []],
  ])('a cursor is refused in a list ordered by %s', async (_, order) => {
    const { cursors } = await page([key('territory')], { first: 1 });
    for (const argument of ['after', 'before'] as const) {
      const { extensions } = await refusal(gateway(), query(order), { first: 3, [argument]: cursors[0] });
      expect(extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        errors: [{ param: argument, code: 'parameter_invalid' }],
      });
    }
  });

  test('a cursor is refused in a list of another type, ordered alike', async () => {
    const { cursors } = await page([key('createdAt')], { first: 1 });
    const orderBy = 'orderBy: [{ field: CREATED_AT }]';
    const { extensions } = await refusal(
      gateway(),
      `{ timesheets(${orderBy}, after: "${cursors[0]}") { totalCount } }`,
    );
    expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ param: 'after' }] });
  });

  test.each([
    ['a number for a text', 'territory', [5, 'quotation_x']],
    ['a text for a number', 'grandTotal', ['5', 'quotation_x']],
    ['null where there is none', 'groupSameItems', [null, 'quotation_x']],
    ['a number for truth', 'groupSameItems', [0, 'quotation_x']],
    ['a day that is none', 'createdAt', ['2026-02-31T00:00:00.000Z', 'quotation_x']],
    ['half a character', 'territory', ['\ud800', 'quotation_x']],
    ['too few values', 'territory', ['quotation_x']],
    ['too many values', 'territory', ['x', 'y', 'quotation_x']],
  ] as const)('a cursor with %s in it is refused, and with none of that is not', async (_, field, values) => {
    const { cursors } = await page([key(field)], { first: 1 });
    const [signature, ...own] = JSON.parse(Buffer.from(cursors[0] ?? '', 'base64url').toString());
    const cursorOf = (held: readonly unknown[]) =>
      Buffer.from(JSON.stringify([signature, ...held])).toString('base64url');
    expect(cursorOf(own)).toBe(cursors[0]);
    await ask(gateway(), query([key(field)]), { after: cursorOf([own[0], 'quotation_x']) });
    const { extensions } = await refusal(gateway(), query([key(field)]), { after: cursorOf(values) });
    expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ param: 'after' }] });
  });

  type Arguments = {
    first?: number;
    last?: number;
    after?: string | undefined;
    before?: string | undefined;
    offset?: number;
  };

  function query(order: Key[]): string {
    const orderBy = order.map(
      ({ field, direction, nulls }) => `{ field: ${upper(field)}, direction: ${direction}, nulls: ${nulls} }`,
    );
    return `query ($first: Int, $last: Int, $after: String, $before: String, $offset: Int) {
      page: quotations(
        orderBy: [${orderBy}], first: $first, last: $last, after: $after, before: $before, offset: $offset
      ) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
    }`;
  }

  async function page(order: Key[], args: Arguments) {
    const { page: found } = await ask(gateway(), query(order), args);
    const edges: { cursor: string; node: { id: string } }[] = found.edges;
    const { startCursor, endCursor, ...info } = found.pageInfo;
    expect([startCursor, endCursor]).toEqual([edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null]);
    return {
      ids: edges.map(({ node }) => node.id),
      cursors: edges.map(({ cursor }) => cursor),
      start: startCursor,
      end: endCursor,
      info,
    };
  }

  async function remove(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await ask(gateway(), 'mutation ($ids: [ID!]!) { deleteManyQuotations(ids: $ids) { deletedIds } }', { ids });
  }
});

function sorted(quotations: readonly Quotation[], order: Key[]): string[] {
  const keys = [...order, key('id', 'DESC')];
  return [...quotations].sort((one, other) => firstDifference(keys, one, other)).map(({ id }) => id);
}

function firstDifference(keys: Key[], one: Quotation, other: Quotation): number {
  for (const { field, direction, nulls } of keys) {
    const [left, right] = [one[field], other[field]];
    if (left === right) continue;
    if (left === null || right === null) return (left === null) === (nulls === 'FIRST') ? -1 : 1;
    return isLess(left, right) === (direction === 'ASC') ? -1 : 1;
  }
  return 0;
}

function isLess(left: string | number | boolean, right: string | number | boolean): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return left < right;
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
}

const upper = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

function shown(order: Key[]): string {
  return order.map(({ field, direction, nulls }) => `${field} ${direction} ${nulls}`).join(', ') || 'nothing';
}
