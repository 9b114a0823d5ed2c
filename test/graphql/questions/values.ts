/** Values that databases often treat differently, for records and for comparisons. */
import fc from 'fast-check';
import type { Column } from './columns.js';

const texts = [
  '',
  ' ',
  'A',
  'a',
  'Z',
  'z',
  'Ä',
  'ä',
  'A\u0308',
  'é',
  'e\u0301',
  'ß',
  'ss',
  'Straße',
  'STRASSE',
  'straße',
];
const odd = [
  '😀',
  '😀x',
  '\uffee',
  '\ud7ff',
  '\u{10ffff}',
  '100%',
  '100',
  'a_b',
  'axb',
  'a\\b',
  '\\',
  "it's",
  '"',
  'a ',
  ' a',
];
const dates = [
  '2025-12-31',
  '2026-01-05',
  '2026-01-31',
  '2026-01-31T23:59',
  '2026-02-01',
  '2026-02-28',
  '2026',
  'soon',
];
/** Ends of the range, neighbours, and numbers that no 32-bit float can represent. */
const wild = [-0, 0, 5e-324, -5e-324, 0.1, 0.30000000000000004, 0.3, -1e300, 1.7976931348623157e308, -7, 2 ** 53, 1e21];
/** Every sum of these is exact, in whatever order a database adds. */
const tame = [-1024.25, -0.5, -0, 0, 0.25, 1, 1.5, 2, 2, 7, 99.75, 1_000_000.125, 2 ** 31, 2 ** 40];
const integers = [-(2 ** 31), -1, 0, 1, 2, 2, 7, 1000, 2 ** 31 - 1];
const instants = [
  '2025-12-31T23:59:59.999',
  '2026-01-01T00:00:00.000',
  '2026-01-31T09:30:00.120',
  '2026-02-28T12:00:00.001',
];

export const positions = fc.integer({ min: 0, max: 6 });

/** Whether both databases add up the numbers of this column exactly. */
export const isTame = ({ name, type }: Column): boolean => type === 'Int' || (type === 'Float' && name.length % 3 > 0);

/** A value of a column, one of few, so that many records share it. Not for ids and references. */
export function arbitraryValue(column: Column): fc.Arbitrary<string | number | boolean> {
  switch (column.type) {
    case 'String':
      return isDate(column) ? fc.constantFrom(...dates) : fc.constantFrom(...texts, ...odd);
    case 'Float':
      return fc.constantFrom(...(isTame(column) ? tame : wild));
    case 'Int':
      return fc.constantFrom(...integers);
    case 'Boolean':
      return fc.boolean();
    case 'DateTime':
      return fc.constantFrom(...instants).map((instant) => `${instant}Z`);
    case 'ID':
      return fc.constantFrom('none', '', 'asset-repair_', 'Z');
  }
}

/** The texts for `contains` and `startsWith`. */
export const needles = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('%', '_', '\\', 'a', 'A', 's', '0%', "'", '😀', '\u0308', '2026-01', '2026', ''),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 2 }) },
);

const isDate = ({ name }: Column): boolean => /date|till|time/i.test(name);
