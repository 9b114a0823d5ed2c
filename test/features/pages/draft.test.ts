/** What the form of a record sends for typed values. */
import { describe, expect, test } from 'vitest';
import { merged, numberIn, numberText } from '../../../src/features/pages/app/records/form/draft.js';
import { cellsIn, moved } from '../../../src/features/pages/app/records/form/line-changes.js';

test.each([
  ['12', 12],
  ['-0.5', -0.5],
  ['1e3', 1000],
  ['1,200', '1,200'],
  ['1,200.50', 1200.5],
  ['1.200,50', 1200.5],
  ['1 200,5', 1200.5],
  ['-1,234,567', -1_234_567],
  ['0,5', 0.5],
  ['1,20.5', '1,20.5'],
  ['1,200,50', '1,200,50'],
  [' ', ' '],
  ['0x10', '0x10'],
  ['Infinity', 'Infinity'],
  ['1e400', '1e400'],
  ['9'.repeat(400), '9'.repeat(400)],
])('a text is a number only where nobody can read it otherwise: %j', (text, expected) => {
  expect(numberIn(text, '.')).toBe(expected);
});

test.each([
  ['1,234', 1.234],
  ['1.200', '1.200'],
  ['0.250', 0.25],
  ['1.200,50', 1200.5],
  ['1,200.50', 1200.5],
  ['1.5', 1.5],
  ['1.234.567', 1_234_567],
  ['1,5e-7', 1.5e-7],
])('what parts decimals for the reader is sure, here a comma: %j', (text, expected) => {
  expect(numberIn(text, ',')).toBe(expected);
});

test.each([
  [1234.5, '1,234.5'],
  [-0.000_01, '-0.00001'],
  [1e-25, '1e-25'],
  [1.797_693_134_862_315_7e308, '1.7976931348623157e+308'],
  [0, '0'],
])('a number is shown as that number, and no longer than one can read: %j', (number, expected) => {
  expect(numberText(number, 0, 'en')).toBe(expected);
});

test.each(['de', 'de-CH', 'fr', 'en-IN', 'ar-EG', 'sv'])('what is shown to a reader in %s is understood', (locale) => {
  const decimal = (1.5).toLocaleString(locale, { numberingSystem: 'latn' }).charAt(1);
  for (const number of [0.25, 1.234, -1234.5, 1_234_567.25, 0.000_01])
    expect(numberIn(numberText(number, 0, locale), decimal)).toBe(number);
});

describe('a form on top of what others have saved', () => {
  const line = (id: string, text: string) => ({ id, place: id, fields: { item: text } });
  const draft = (fields: Record<string, string>, ...items: ReturnType<typeof line>[]) => ({ fields, lines: { items } });
  const before = draft({ cost: '1', company: '' }, line('a', 'A'), line('b', 'B'), line('c', 'C'));

  test('changes what was typed, and nothing that only others have changed', () => {
    const mine = draft({ cost: '2', company: '' }, line('a', 'A2'), line('b', 'B'), line('c', 'C'));
    const now = draft({ cost: '3', company: 'ACME' }, line('c', 'C'), line('a', 'A'), line('b', 'B3'), line('d', 'D'));
    expect(merged(before, mine, now)).toEqual(
      draft({ cost: '2', company: 'ACME' }, line('c', 'C'), line('a', 'A2'), line('b', 'B3'), line('d', 'D')),
    );
  });

  test('takes away and adds lines, and brings back one that was typed into and is gone', () => {
    const added = { place: 'x', fields: { item: 'X' } };
    const mine = { fields: {}, lines: { items: [line('a', 'A2'), line('c', 'C'), added] } };
    const now = draft({}, line('b', 'B'), line('c', 'C'));
    expect(merged(before, mine, now).lines.items).toEqual([
      line('c', 'C'),
      { place: 'a', fields: { item: 'A2' } },
      added,
    ]);
  });
});

test.each([
  ['SEAL', undefined],
  [
    'SEAL\t3\r\nOIL\t\r\n',
    [
      ['SEAL', '3'],
      ['OIL', ''],
    ],
  ],
  ['"two\nlines"\t"3"" pipe"', [['two\nlines', '3" pipe']]],
  ['3" pipe\t1', [['3" pipe', '1']]],
])('what a spreadsheet copies is its cells: %j', (text, cells) => {
  expect(cellsIn(text)).toEqual(cells);
});

test('a line is put before or behind the others', () => {
  const lines = ['a', 'b', 'c'].map((place) => ({ place, fields: {} }));
  const order = (from: number, to: number) =>
    moved(lines, from, to)
      .map(({ place }) => place)
      .join('');
  expect([order(0, 2), order(2, 0), order(1, 1)]).toEqual(['bca', 'cab', 'abc']);
});
