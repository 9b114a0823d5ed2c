/** The three-way merge of the example front end: every combination of what two people can do to a field and a line. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Draft, type DraftLine, emptyDraft, isSameDraft } from '../../examples/repair-desk/src/document/draft.js';
import { changesBetween } from '../../examples/repair-desk/src/merge/changes-between.js';
import { merge } from '../../examples/repair-desk/src/merge/merge.js';
import type { Side } from '../../examples/repair-desk/src/merge/question.js';

const empty = emptyDraft();

function draft(values: Partial<Draft['values']>, ...lines: DraftLine[]): Draft {
  return { values: { ...empty.values, asset: 'PRESS-2', ...values }, lines };
}

function line(id: string, values: Partial<DraftLine['values']> = {}): DraftLine {
  const none = {
    itemCode: id,
    warehouse: 'Stores',
    consumedQuantity: '',
    serialNo: '',
    valuationRate: '',
    totalValue: '',
  };
  return { key: id, id, values: { ...none, ...values } };
}

/** A line that the user has added and not saved. */
const added = (key: string): DraftLine => ({ ...line(key), id: null });

const keysOf = ({ lines }: Draft) => lines.map(({ key }) => key).join(' ');

/** The result of the merge if every question is answered with this side, and the questions. */
function mergeWith(side: Side, base: Draft, mine: Draft, theirs: Draft) {
  const { questions } = merge(base, mine, theirs);
  const { draft } = merge(base, mine, theirs, new Map(questions.map(({ key }) => [key, side])));
  return { draft, asked: questions.map(({ label, mine, theirs }) => [label, mine, theirs]) };
}

describe('a field', () => {
  test.each([
    ['nobody', '1', '1', '1'],
    ['only the user', '2', '1', '2'],
    ['only somebody else', '1', '2', '2'],
    ['both alike', '2', '2', '2'],
    ['both alike, in another spelling', '2.50', '2.5', '2.50'],
    ['the user back to no value', '', '1', ''],
    ['the user only in its spelling, and somebody else', '1.0', '2', '2'],
  ])('changed by %s is taken without a question', (_, mine, theirs, result) => {
    const merged = merge(draft({ repairCost: '1' }), draft({ repairCost: mine }), draft({ repairCost: theirs }));
    expect(merged.questions).toEqual([]);
    expect(merged.draft.values.repairCost).toBe(result);
  });

  test.each([
    ['mine', '2'],
    ['theirs', '3'],
  ] as const)('changed by both in two ways is asked for; %s is taken', (side, result) => {
    const [base, mine, theirs] = [draft({ repairCost: '1' }), draft({ repairCost: '2' }), draft({ repairCost: '3' })];
    const { draft: merged, asked } = mergeWith(side, base, mine, theirs);
    expect(asked).toEqual([['Repair cost', '2', '3']]);
    expect(merged.values.repairCost).toBe(result);
  });

  test('is asked for again when somebody changes it once more', () => {
    const [base, mine] = [draft({ company: 'A' }), draft({ company: 'B' })];
    const [question] = merge(base, mine, draft({ company: 'C' })).questions;
    const choices = new Map([[question?.key ?? '', 'theirs' as const]]);
    expect(merge(base, mine, draft({ company: 'C' }), choices).draft.values.company).toBe('C');
    const later = merge(base, mine, draft({ company: 'D' }), choices);
    expect(later.questions.map(({ key }) => choices.has(key))).toEqual([false]);
    expect(later.draft.values.company).toBe('B');
  });

  test('takes each side of two fields that each changed', () => {
    const { draft: merged, questions } = merge(draft({}), draft({ repairCost: '5' }), draft({ description: 'leaks' }));
    expect(questions).toEqual([]);
    expect(merged.values).toMatchObject({ repairCost: '5', description: 'leaks' });
  });
});

/** What a side can do with the line `a`, which has a quantity of 1. */
const changesOfLine: Record<string, DraftLine | undefined> = {
  keeps: line('a', { consumedQuantity: '1' }),
  edits: line('a', { consumedQuantity: '2' }),
  'edits otherwise': line('a', { consumedQuantity: '3' }),
  'edits another field of': line('a', { consumedQuantity: '1', warehouse: 'Van' }),
  deletes: undefined,
};
const without = 'no line';
const outcome = ({ lines: [first] }: Draft) =>
  first ? `${first.id ?? 'new'} ${first.values.consumedQuantity} ${first.values.warehouse}` : without;

describe('a line', () => {
  test.each([
    ['keeps', 'keeps', 'a 1 Stores'],
    ['keeps', 'edits', 'a 2 Stores'],
    ['keeps', 'deletes', without],
    ['edits', 'keeps', 'a 2 Stores'],
    ['edits', 'edits', 'a 2 Stores'],
    ['edits', 'edits another field of', 'a 2 Van'],
    ['edits another field of', 'edits', 'a 2 Van'],
    ['deletes', 'keeps', without],
    ['deletes', 'deletes', without],
  ])('that the user %s and somebody else %s is taken without a question', (mine, theirs, result) => {
    const merged = merge(...three(mine, theirs));
    expect(merged.questions).toEqual([]);
    expect(outcome(merged.draft)).toBe(result);
  });

  test.each([
    ['edits', 'edits otherwise', 'Quantity of line a', 'a 2 Stores', 'a 3 Stores'],
    ['edits', 'deletes', 'The line a', 'new 2 Stores', without],
    ['deletes', 'edits', 'The line a', without, 'a 2 Stores'],
  ])('that the user %s and somebody else %s is asked for', (mine, theirs, label, ifMine, ifTheirs) => {
    const [forMine, forTheirs] = [
      mergeWith('mine', ...three(mine, theirs)),
      mergeWith('theirs', ...three(mine, theirs)),
    ];
    expect(forMine.asked.map(([asked]) => asked)).toEqual([label]);
    expect([outcome(forMine.draft), outcome(forTheirs.draft)]).toEqual([ifMine, ifTheirs]);
  });

  test('added by each side is kept of both, theirs first', () => {
    const [base, theirs] = [draft({}, line('a')), draft({}, line('a'), line('t'))];
    const merged = merge(base, draft({}, line('a'), added('m1'), added('m2')), theirs);
    expect(merged.questions).toEqual([]);
    expect(keysOf(merged.draft)).toBe('a t m1 m2');
    expect(merged.draft.lines.map(({ id }) => id)).toEqual(['a', 't', null, null]);
  });

  function three(mine: string, theirs: string): [Draft, Draft, Draft] {
    const of = (change: string) => draft({}, ...(changesOfLine[change] ? [changesOfLine[change]] : []));
    return [of('keeps'), of(mine), of(theirs)];
  }
});

describe('the order of the lines', () => {
  const inOrder = (keys: string) =>
    draft({}, ...keys.split(' ').map((key) => (key.startsWith('m') ? added(key) : line(key))));

  test.each([
    ['moved by somebody else', 'a b c', 'c a b', 'c a b'],
    ['moved by the user', 'c a b', 'a b c', 'c a b'],
    ['moved by both alike', 'b a c', 'b a c', 'b a c'],
    ['moved by somebody else, with a line of the user', 'a b c m', 'c a b', 'c m a b'],
    ['moved by somebody else, with a line of the user in between', 'a m b c', 'c b a', 'c b a m'],
    ['moved by the user, with a line of somebody else', 'b a c', 'a b c t', 'b a c t'],
    ['moved by the user, where somebody else has deleted one', 'c b a', 'a c', 'c a'],
    ['with a line before all others of each', 'm a b c', 't a b c', 't m a b c'],
  ])('%s is taken without a question', (_, mine, theirs, result) => {
    const merged = merge(inOrder('a b c'), inOrder(mine), inOrder(theirs));
    expect(merged.questions).toEqual([]);
    expect(keysOf(merged.draft)).toBe(result);
  });

  test('moved by both in two ways is asked for', () => {
    const three = ['a b c', 'b a c m', 'c a b t'].map(inOrder);
    const [base = empty, mine = empty, theirs = empty] = three;
    expect(mergeWith('mine', base, mine, theirs).asked).toEqual([['Order of the lines', 'b, a, c', 'c, a, b']]);
    expect(keysOf(mergeWith('mine', base, mine, theirs).draft)).toBe('b t a c m');
    expect(keysOf(mergeWith('theirs', base, mine, theirs).draft)).toBe('c m a b t');
  });
});

describe('whatever both do', () => {
  const text = fc.constantFrom('', '1', '2', '3');
  const lines = (own: string) =>
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', own), text), { selector: ([key]) => key, maxLength: 5 })
      .map((pairs) =>
        pairs.map(([key, consumedQuantity]) => ({
          ...line(key, { consumedQuantity }),
          id: key.startsWith('m') ? null : key,
        })),
      );
  const drafts = (own: string) =>
    fc.tuple(text, text, lines(own)).map(([repairCost, company, those]) => draft({ repairCost, company }, ...those));

  test('a side that has changed nothing leaves all to the other', () => {
    fc.assert(
      fc.property(drafts('b'), drafts('m'), (base, other) => {
        expect(merge(base, other, base).draft).toEqual(other);
        expect(merge(base, other, base).questions).toEqual([]);
        expect(merge(base, base, other).draft).toEqual(other);
        expect(merge(base, base, other).questions).toEqual([]);
      }),
    );
  });

  test('no line is lost, none appears twice, and every question is of something that both have changed', () => {
    fc.assert(
      fc.property(drafts('b'), drafts('m'), drafts('t'), (base, mine, theirs) => {
        const { draft: merged, questions } = merge(base, mine, theirs);
        const keys = merged.lines.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        const before = base.lines.map(({ key }) => key);
        for (const { key } of [...mine.lines, ...theirs.lines]) if (!before.includes(key)) expect(keys).toContain(key);
        if (isSameDraft(mine, theirs)) expect(questions).toEqual([]);
        for (const { mine: here, theirs: there } of questions) expect(here).not.toBe(there);
      }),
    );
  });

  test('a merged draft merges with the same once more into itself', () => {
    fc.assert(
      fc.property(drafts('b'), drafts('m'), drafts('t'), (base, mine, theirs) => {
        const { draft: merged } = merge(base, mine, theirs);
        expect(merge(theirs, merged, theirs)).toEqual({ draft: merged, questions: [] });
      }),
    );
  });
});

test('what somebody has changed is told and marked', () => {
  const before = draft({ company: 'A' }, line('a'), line('b'), line('c'));
  const after = draft({ company: 'B' }, line('b', { totalValue: '4' }), line('a'), line('d'));
  expect(changesBetween(before, after)).toEqual({
    places: new Set(['company', 'b.totalValue', 'd']),
    words: ['Company', 'Total of line b', 'line d added', 'line c removed', 'order of the lines'],
  });
});
