/** Nothing is left out of the matrix silently: every omission has a reason, and every guard is tested in every way. */
import { expect, test } from 'vitest';
import { rowsOf } from './cells.js';
import type { Columns } from './covering.js';
import { guards } from './guards/index.js';
import { restWays } from './rest-ways.js';
import { ways } from './ways.js';

const surfaces: { surface: 'graphql' | 'rest'; columns: Columns }[] = [
  { surface: 'graphql', columns: ways },
  { surface: 'rest', columns: restWays },
];

test('guards have names of their own', () => {
  expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length);
});

test.each(surfaces)(
  'every value of every way to $surface stands in a row of each guard, or with a reason',
  ({ surface, columns }) => {
    for (const guard of guards) {
      const { rows, left } = rowsOf(guard, surface);
      if (rows.length === 0) {
        expect([...left.values()], guard.name).not.toContain('');
        continue;
      }
      for (const [column, values] of Object.entries(columns)) {
        const absent = values.filter((value) => !rows.some((row) => row[column] === value));
        const reasons = [...left].filter(([pair]) => absent.some((value) => pair.includes(`${column}: ${value}`)));
        expect(reasons.length >= absent.length, `${guard.name}: ${column} ${absent}`).toBe(true);
      }
    }
  },
);
