/** The three-way merge: what two people can do to a field, to a line and to the order, and whatever they do. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Draft, type DraftLine, emptyDraft, emptyLine } from '../document/draft.js';
import { changesBetween } from './changes-between.js';
import { merge, type Side } from './merge.js';

const line = (key: string, values: Partial<DraftLine> = {}): DraftLine => {
  return { ...emptyLine(), itemCode: key, warehouse: 'Stores', ...values, key, id: key.startsWith('m') ? null : key };
};
const draft = (values: Partial<Draft>, ...consumedItems: DraftLine[]): Draft => {
  return { ...emptyDraft(), asset: 'PRESS-2', ...values, consumedItems };
};
const inOrder = (keys: string) => draft({}, ...keys.split(' ').map((key) => line(key)));
const keysOf = ({ consumedItems }: Draft) => consumedItems.map(({ key }) => key).join(' ');

/** The result of the merge if every question is answered with this side, and the questions. */
function mergeWith(side: Side, base: Draft, mine: Draft, theirs: Draft) {
  const { questions } = merge(base, mine, theirs);
  const { draft } = merge(base, mine, theirs, new Map(questions.map(({ key }) => [key, side])));
  return { draft, asked: questions.map(({ label, mine, theirs }) => [label, mine, theirs]) };
}

test.each([
  ['nobody', '1', '1', '1'],
  ['only the user', '2', '1', '2'],
  ['only somebody else', '1', '2', '2'],
  ['both alike, in another spelling', '2.50', '2.5', '2.50'],
  ['the user to a blank, which is no 0', ' ', '1', ' '],
  ['the user only in its spelling, and somebody else', '1.0', '2', '2'],
])('a field changed by %s is taken without a question', (_, mine, theirs, result) => {
  const merged = merge(draft({ repairCost: '1' }), draft({ repairCost: mine }), draft({ repairCost: theirs }));
  expect([merged.questions, merged.draft.repairCost]).toEqual([[], result]);
});

test('a field changed by both in two ways is asked for, and again when somebody changes it once more', () => {
  const [base, mine, theirs] = [draft({ company: 'A' }), draft({ company: 'B' }), draft({ company: 'C' })];
  expect(mergeWith('mine', base, mine, theirs)).toEqual({ draft: mine, asked: [['Company', 'B', 'C']] });
  expect(mergeWith('theirs', base, mine, theirs).draft).toEqual(theirs);
  const choices = new Map(merge(base, mine, theirs).questions.map(({ key }) => [key, 'theirs' as const]));
  const later = merge(base, mine, draft({ company: 'D' }), choices);
  expect(later.questions.map(({ key }) => choices.has(key))).toEqual([false]);
});

const lines = {
  keeps: [line('a', { consumedQuantity: '1' })],
  edits: [line('a', { consumedQuantity: '2' })],
  'edits otherwise': [line('a', { consumedQuantity: '3' })],
  'edits another field of': [line('a', { consumedQuantity: '1', warehouse: 'Van' })],
  deletes: [],
};
type Change = keyof typeof lines;
const outcome = ({ consumedItems: [first] }: Draft) =>
  first ? `${first.id ?? 'new'} ${first.consumedQuantity} ${first.warehouse}` : 'none';

test.each<[mine: Change, theirs: Change, asked: string[], ifMine: string, ifTheirs: string]>([
  ['keeps', 'edits', [], 'a 2 Stores', 'a 2 Stores'],
  ['keeps', 'deletes', [], 'none', 'none'],
  ['edits', 'keeps', [], 'a 2 Stores', 'a 2 Stores'],
  ['edits', 'edits another field of', [], 'a 2 Van', 'a 2 Van'],
  ['deletes', 'keeps', [], 'none', 'none'],
  ['edits', 'edits otherwise', ['Quantity of line a'], 'a 2 Stores', 'a 3 Stores'],
  ['edits', 'deletes', ['The line a'], 'new 2 Stores', 'none'],
  ['deletes', 'edits', ['The line a'], 'none', 'a 2 Stores'],
])('a line that the user %s and somebody else %s', (mine, theirs, asked, ifMine, ifTheirs) => {
  const three = [draft({}, ...lines.keeps), draft({}, ...lines[mine]), draft({}, ...lines[theirs])] as const;
  expect(mergeWith('mine', ...three).asked.map(([label]) => label)).toEqual(asked);
  expect([outcome(mergeWith('mine', ...three).draft), outcome(mergeWith('theirs', ...three).draft)]).toEqual([
    ifMine,
    ifTheirs,
  ]);
});

test.each([
  ['moved by somebody else, with a line of the user', 'a b c m', 'c a b', [], 'c m a b'],
  ['moved by the user, with a line of somebody else', 'b a c', 'a b c t', [], 'b a c t'],
  ['moved by the user, where somebody else has deleted one', 'c b a', 'a c', [], 'c a'],
  ['with new lines of both', 'a b c m1 m2', 'a b c t', [], 'a b c t m1 m2'],
  ['moved by both in two ways', 'b a c m', 'c a b t', [['Order of the lines', 'b, a, c', 'c, a, b']], 'b t a c m'],
])('the order of the lines %s', (_, mine, theirs, asked, result) => {
  const merged = mergeWith('mine', inOrder('a b c'), inOrder(mine), inOrder(theirs));
  expect([merged.asked, keysOf(merged.draft)]).toEqual([asked, result]);
});

test('whatever both do, no line is lost or doubled, and what only one has done is taken without a question', () => {
  const text = fc.constantFrom('', '1', '2', '3');
  const drafts = (own: string) =>
    fc
      .tuple(text, fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', own), text), { selector: ([key]) => key }))
      .map(([company, pairs]) => draft({ company }, ...pairs.map(([key, totalValue]) => line(key, { totalValue }))));
  fc.assert(
    fc.property(drafts('b'), drafts('m'), drafts('t'), (base, mine, theirs) => {
      const { draft: merged, questions } = merge(base, mine, theirs);
      const keys = merged.consumedItems.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const key of ['m', 't']) expect(keys.includes(key)).toBe(`${keysOf(mine)} ${keysOf(theirs)}`.includes(key));
      for (const { mine: here, theirs: there } of questions) expect(here).not.toBe(there);
      expect(merge(base, mine, base)).toEqual({ draft: mine, questions: [] });
      expect(merge(base, base, theirs)).toEqual({ draft: theirs, questions: [] });
      expect(merge(theirs, merged, theirs)).toEqual({ draft: merged, questions: [] });
    }),
  );
});

test('what somebody has changed is told and marked', () => {
  const before = draft({ company: 'A' }, line('a'), line('b'), line('c'));
  const after = draft({ company: 'B' }, line('b', { totalValue: '4' }), line('a'), line('d'));
  expect(changesBetween(before, after)).toEqual({
    places: new Set(['company', 'b.totalValue', 'd']),
    words: ['Company', 'Total of line b', 'line d added', 'line c removed', 'order of the lines'],
  });
});
