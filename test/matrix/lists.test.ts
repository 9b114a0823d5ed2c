/** Nothing is left out of the matrix silently: each guard is tested with each value of each column, or has a reason. */
import { expect, test } from 'vitest';
import { rowsOf } from './cells.js';
import type { Columns } from './covering-array.js';
import { graphqlVariants } from './graphql-variants.js';
import { guards } from './guards/index.js';
import { restVariants } from './rest-variants.js';

const surfaces: { surface: 'graphql' | 'rest'; columns: Columns }[] = [
  { surface: 'graphql', columns: graphqlVariants },
  { surface: 'rest', columns: restVariants },
];

test('guards have names of their own', () => {
  expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length);
});

test.each(surfaces)(
  'every value of every column of $surface is in a row of each guard, or has a reason',
  ({ surface, columns }) => {
    for (const guard of guards) {
      const { rows, excluded } = rowsOf(guard, surface);
      if (rows.length === 0) {
        expect([...excluded.values()], guard.name).not.toContain('');
        continue;
      }
      for (const [column, values] of Object.entries(columns)) {
        const absent = values.filter((value) => !rows.some((row) => row[column] === value));
        const reasons = [...excluded].filter(([pair]) => absent.some((value) => pair.includes(`${column}: ${value}`)));
        expect(reasons.length >= absent.length, `${guard.name}: ${column} ${absent}`).toBe(true);
      }
    }
  },
);
