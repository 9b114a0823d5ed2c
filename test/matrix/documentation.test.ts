/** docs/how-a-request-walks.md has a row for every kind of guard. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guards } from './guards/index.js';

const [, table = ''] = readFileSync('docs/how-a-request-walks.md', 'utf8').split(/<!-- \/?guards -->/);

test('every kind of guard has a row, and there are no others', () => {
  const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  const kinds = new Set(guards.map(({ name }) => name.split(':')[0]).filter((name) => name !== 'none'));
  expect(documented.toSorted()).toEqual([...kinds].toSorted());
});
