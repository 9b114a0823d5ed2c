/** One wrong value for one field, for every type of field and every kind of mistake. */
import type { Place } from './places.js';
import type { ValueCase } from './value-case.js';

export const wrongValues: readonly ValueCase[] = [
  ...wrong('repair', 'description', {
    'a number for text': '5',
    'a boolean for text': 'true',
    'a list for text': '[]',
    'a list of one text for text': '["worn"]',
    'an object for text': '{"text": "worn"}',
    '900 nested lists for text': '['.repeat(900) + ']'.repeat(900),
    'U+0000': '"\\u0000"',
    'U+0000 inside a text': '"worn\\u0000out"',
    'the first half of a surrogate pair': '"\\ud83d"',
    'the second half of a surrogate pair': '"\\ude00 worn"',
    'the halves of a surrogate pair exchanged': '"\\ude00\\ud83d"',
  }),
  ...wrong('item', 'consumed_quantity', { 'a number for a quantity kept as text': '2' }),
  ...wrong('repair', 'repair_cost', {
    'text for a number': '"much"',
    'a number as text': '"5"',
    'empty text for a number': '""',
    'a boolean for a number': 'false',
    'a list of one number for a number': '[5]',
    'an object for a number': '{}',
    '900 nested objects for a number': `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`,
    'a number above every double': '1e999',
    'a number below every double': '-1e999',
  }),
  ...wrong('repair', 'increase_in_asset_life', {
    'text for an integer': '"5"',
    'a fraction for an integer': '5.5',
    'a boolean for an integer': 'true',
    'a list for an integer': '[1]',
    'an object for an integer': '{}',
    'an integer of 33 bits': '2147483648',
    'a negative integer of 33 bits': '-2147483649',
    'an integer of 64 bits': '9223372036854775808',
    'an integer above every double': '1e999',
  }),
  ...wrong('repair', 'capitalize_repair_cost', {
    '0 for a boolean': '0',
    '1 for a boolean': '1',
    'a word for a boolean': '"true"',
    'empty text for a boolean': '""',
    'a list for a boolean': '[true]',
    'an object for a boolean': '{}',
  }),
  ...wrong('row', 'bold_text', { '1 for a boolean without a default': '1' }),
  ...wrong('repair', 'asset', {
    'null for a required text': 'null',
    'a number for a required text': '5',
    'U+0000 in a required text': '"PRESS\\u0000"',
  }),
  ...wrong('quotation', 'conversion_rate', {
    'null for a required number': 'null',
    'text for a required number': '"1"',
  }),
  ...wrong('repair', 'status', {
    'an unknown state': '"done"',
    'a state in capitals': '"Draft"',
    'an empty state': '""',
    'a number for the state': '1',
  }),
  ...wrong('repair', 'status', { 'a new record submitted already': '"submitted"' }, 'create'),
  ...wrong('repair', 'status', { 'a new record cancelled already': '"cancelled"' }, 'create'),
  ...wrong('item', 'idx', {
    'place 0 among the lines': '0',
    'a negative place': '-1',
    'a place as text': '"1"',
    'a place between two': '1.5',
    'a place of 33 bits': '2147483648',
  }),
  ...wrong('item', 'idx', { 'no place for a line that has one': 'null' }, 'update'),
  ...wrong('item', 'asset_repair_id', {
    'a number as the parent': '5',
    'a list of one id as the parent': '["asset-repair_0"]',
    'null as the parent': 'null',
    'U+0000 in the id of the parent': '"asset-repair_\\u0000"',
    'an empty id as the parent': '""',
  }),
  ...wrong('payment', 'parent_id', { 'an empty id of a parent that may be any': '""' }),
  ...wrong('payment', 'parent_id', { 'an id of a parent that no index takes': `"${noise(20_000)}"` }),
  ...wrong('payment', 'parent_type', { 'null as the type of the parent': 'null' }),
];

function wrong(on: Place, field: string, values: Record<string, string>, by?: 'create' | 'update'): ValueCase[] {
  return Object.entries(values).map(([what, json]) => ({
    what,
    on,
    members: `"${field}": ${json}`,
    problems: { parameter_invalid: [field] },
    ...(by ? { by } : {}),
  }));
}

/** A text that cannot be compressed well. */
function noise(length: number): string {
  let state = 1;
  let text = '';
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += state.toString(36);
  }
  return text.slice(0, length);
}
