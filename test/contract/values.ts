/** Values that a careless service would change on input or output, by the type of the field (document 2.1.2). */
import type { DocumentedField } from './documented-fields.js';

export type Value = string | number | boolean | null;

const oddStrings = [
  '',
  ' spaces at both ends ',
  'null',
  '2026-02-30',
  '1e3',
  `it's "quoted" \\ and \`ticked\` \\u0041 \\n`,
  'line\nline\r\nline\rtab\tend\n',
  'Grüße – 漢字 ひらがな العربية עברית ไทย',
  '👩‍👩‍👧‍👦 🇨🇭 𝔘 \u{10ffff}',
  'e\u0301 is not é',
  '\u0001\u001f\u007f\u0085\u00a0\u2028\u2029\ufeff\ufffd\uffff',
  '<script>alert(1)</script>&amp;',
  `'; DROP TABLE "Quotation"; --`,
  '%s $1 ? :name @name {supplier_name} __proto__',
  'long '.repeat(400),
];

const oddNumbers = [
  0,
  -1,
  0.1 + 0.2,
  1e308,
  -1.7976931348623157e308,
  5e-324,
  2.2250738585072014e-308,
  2 ** 53 - 1,
  2 ** 53 + 2,
  2147483648,
  -0.1,
  1e21,
  1e-7,
  123456789.98765433,
];

const oddValues: Record<DocumentedField['type'], readonly Value[]> = {
  string: oddStrings,
  number: oddNumbers,
  integer: [0, -1, 1, 2147483647, -2147483648],
  boolean: [true, false],
};

/** A text of fewer than 200 characters with the oddest values, for tests with only one value. */
export const oddString = oddStrings.slice(5, 9).join(' | ');

/**
 * The number of records that test every field with every value of its type; each starts at another place in the lists.
 */
export const rounds = Math.max(...Object.values(oddValues).map((values) => values.length));

/** The value of a field in one of the `rounds`; `position` is the field's place in its resource. */
export function oddValue({ type }: DocumentedField, position: number, round: number): Value {
  const values = oddValues[type];
  const value = values[(position + round) % values.length];
  if (value === undefined) throw new Error(`There are no values of type ${type}`);
  return value;
}

/** An ordinary value that does not matter to the test. */
export function plainValue({ name, type }: DocumentedField): Value {
  return { string: `some ${name}`, number: 12.5, integer: 3, boolean: true }[type];
}

/** Another value of the field than the present one. */
export function otherValue(field: DocumentedField, present: Value | undefined): Value {
  if (present === true) return false;
  return typeof present === 'number' ? present + 1 : plainValue({ ...field, name: `other ${field.name}` });
}

/** A value of another type than the field's, for bodies that must be refused. */
export function wrongValue({ type }: DocumentedField): Value {
  return { string: 5, number: '5', integer: 5.5, boolean: 1 }[type];
}
