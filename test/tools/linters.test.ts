/** The rule sets that linters recommend, on both descriptions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from './accepted.js';
import { type Described, program, startDescribed } from './described.js';

let described: Described;
beforeAll(async () => {
  described = await startDescribed();
});
afterAll(() => described?.close());

test.each(Object.keys(accepted))(
  '%s: holds against us what is listed with its reason, and nothing else',
  async (set) => {
    const linted =
      set === 'graphql'
        ? program('lint-graphql', [described.graphql])
        : program('lint-openapi', [set, described.openapi]);
    const found: { rule: string; at: string; message: string }[] = JSON.parse(await linted);
    const listed = accepted[set] ?? {};
    expect(found.filter(({ rule }) => !(rule in listed)).slice(0, 20)).toEqual([]);
    expect(new Set(found.map(({ rule }) => rule))).toEqual(new Set(Object.keys(listed)));
  },
);
