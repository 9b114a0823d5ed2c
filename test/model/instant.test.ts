/** Instants that do not exist are refused, not moved to another day, and no part of one is cut off. */
import { expect, test } from 'vitest';
import { parseInstant } from '../../src/model/instant.js';

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T09:30Z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30:15.5+02:00', '2026-01-31T07:30:15.500Z'],
  ['2026-01-31T09:30:15.120000000Z', '2026-01-31T09:30:15.120Z'],
  ['2026-01-31T00:00:00+23:59', '2026-01-30T00:01:00.000Z'],
  ['2026-01-31T00:00:00-23:59', '2026-01-31T23:59:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['0004-02-29', '0004-02-29T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is %s', (text, expected) => {
  expect(parseInstant(text)).toEqual(new Date(expected));
});

const problems: [string, string[]][] = [
  [
    'must name a day that is in the calendar',
    [
      '2026-02-30',
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-00-10',
      '2026-13-01',
      '2026-01-00',
      '2026-02-31T10:00Z',
    ],
  ],
  [
    'must name a time from 00:00:00 to 23:59:59',
    ['T24:00Z', 'T24:00:00.000Z', 'T10:60Z', 'T23:59:60Z', 'T10:00+24:00', 'T10:00-12:60'].map(
      (time) => `2026-01-31${time}`,
    ),
  ],
  ['must have at most three decimals', ['2026-01-31T09:30:00.0001Z', '2026-01-31T09:30:00.000000001Z']],
  ['must be in the years 0001 to 9999', ['0000-12-31', '0001-01-01T00:00+00:01', '9999-12-31T23:59:59-00:01']],
  [
    'must be an instant as ISO 8601',
    [
      '',
      'soon',
      '2026-1-31',
      '2026-01-31T09:30',
      '2026-01-31 09:30Z',
      '2026-01-31t09:30z',
      '+002026-01-31',
      '2026-01-31\n',
    ],
  ],
];
test.each(problems.flatMap(([problem, texts]) => texts.map((text) => [text, problem])))('%j %s', (text, problem) => {
  expect(parseInstant(text)).toMatch(problem);
});
