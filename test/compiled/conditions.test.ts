/** `@include` and `@skip`: an operation is compiled for each set of conditions that occurs, up to a limit. */
import { beforeAll, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { createRepairs } from '../graphql/asset-repairs.js';
import { statementsOf } from '../graphql/statements.js';

const names = ['a', 'b', 'c', 'd', 'e'];
const fields = names.map((name) => `${name}: asset @include(if: $${name})`).join(' ');
const query = `query (${names.map((name) => `$${name}: Boolean!`).join(', ')}) { assetRepairs { nodes { ${fields} } } }`;

/** All 32 sets of values of five conditions. */
const sets = Array.from({ length: 2 ** names.length }, (_, bits) =>
  Object.fromEntries(names.map((name, place) => [name, Boolean(bits & (2 ** place))])),
);

onBothDatabases((gateway) => {
  beforeAll(() => createRepairs(gateway(), 1));

  test('every set is answered as it asks, and sixteen of them from compiled statements', async () => {
    const compiled = new Set<string>();
    for (const variables of [...sets, ...sets]) {
      const { body } = await gateway().graphql(query, variables);
      const asked = names.filter((name) => variables[name]);
      expect(body).toEqual({
        data: { assetRepairs: { nodes: [Object.fromEntries(asked.map((name) => [name, 'lathe']))] } },
      });
      for (const sql of await statementsOf(gateway(), query, variables)) {
        if (/json_object|json_build_array|array_to_json/.test(sql)) compiled.add(sql);
      }
    }
    expect(compiled.size).toBe(16);
  });

  test.each([
    [{ a: 'yes' }, 'must be true or false, not a string'],
    [{ a: null }, 'is required and cannot be null; send true or false'],
    [{}, 'is required'],
  ])('%o is refused', async (variables, message) => {
    const { body } = await gateway().graphql(
      'query ($a: Boolean!) { assetRepairs @include(if: $a) { totalCount } }',
      variables,
    );
    expect(body.errors[0].message).toContain(message);
  });

  test('what is wrong is refused also where it is left out', async () => {
    const { body } = await gateway().graphql(
      'query ($n: Int) { assetRepairs(first: $n) @include(if: false) { totalCount } }',
      { n: 'two' },
    );
    expect(body.errors[0].message).toContain('must be a whole number');
  });
});
