import { describe, expect, test } from 'vitest';
import type { Resource } from '../../src/model/resource.js';
import { providers } from '../support/database.js';
import { accessesTo, expectIndexes, explained, isOfTheShapes, parentIdOf } from '../support/explained.js';
import { recordId } from '../support/many-records.js';
import { resources } from '../support/resources.js';
import { isChosen, thorough } from '../support/thorough.js';

const lists = resources.filter(({ kind }) => kind === 'resource');
const hasLines = ({ lines }: Resource) => lines.length > 0;
const children = resources.filter(({ kind }) => kind === 'child');
const deep = 1500;

/**
 * Reads use indexes, by compiled SQL and by the resolvers. Both databases have the same indexes (`migrations.slow.test.ts`).
 * So one type of each shape is tested in every combination, and a third of the others in one; a thorough run tests
 * every type on both databases.
 */
const queryPaths = providers.flatMap((provider) => [
  { provider, compiled: true, queryPath: 'compiled SQL' },
  { provider, compiled: false, queryPath: 'resolvers' },
]);

describe.each(queryPaths)('on $provider, reads by $queryPath', ({ provider, compiled }) => {
  const isForAll = compiled && (provider === 'sqlite' || thorough);
  const some = (all: readonly Resource[]) =>
    all.filter((one, index) => isOfTheShapes(one) || (isForAll && isChosen(index, 3)));
  const { plansOf, plansFor, rest, graphql } = explained({ provider, compiled });

  test.each(some(lists))('$title: a list, its pages and its records are found through indexes', async (resource) => {
    const { base, many } = resource;
    const plans = await plansOf(async () => {
      await rest('GET', `${base}/${recordId(resource, 7)}`);
      await rest('GET', base);
      const { page } = await graphql(`{ page: ${many}(first: 5) { edges { cursor } } }`);
      const { cursor } = page.edges[4];
      for (const args of [`first: 5, after: "${cursor}"`, `last: 5, before: "${cursor}"`, 'last: 5']) {
        await graphql(`{ ${many}(${args}) { nodes { id version } pageInfo { hasNextPage hasPreviousPage } } }`);
      }
      await graphql(`{ node(id: "${recordId(resource, 7)}") { id } }`);
    });

    expectIndexes(plans);
    expect(accessesTo(resource.model, plans).length).toBeGreaterThan(6);
  });

  test.each(some(lists))('$title: conditions and orders of ids are found through the index', async (resource) => {
    const { many, model } = resource;
    const [id, other] = [recordId(resource, 700), recordId(resource, 1400)];
    const plans = await plansOf(async () => {
      for (const args of [
        `where: { id: { in: ["${id}", "${other}"] } }`,
        `where: { id: { gt: "${id}", lt: "${other}" } }, first: 5`,
        `where: { id: { lt: "${other}" } }, last: 5`,
        'orderBy: { field: ID }, first: 5',
      ]) {
        await graphql(`{ ${many}(${args}) { nodes { id version } pageInfo { hasNextPage hasPreviousPage } } }`);
      }
    });

    expectIndexes(plans);
    expect(accessesTo(model, plans).length).toBeGreaterThan(3);
  });

  test.each(some(lists.filter(hasLines)))('$title: lines come with their parents', async (resource) => {
    const { one, many, lines } = resource;
    const all = lines.map(({ field }) => `${field} { id idx }`).join(' ');
    const slices = lines.map(({ field }) => `${field}(limit: 3, offset: 2) { id idx }`).join(' ');

    const plans = await plansOf(async () => {
      await graphql(`{ ${one}(id: "${recordId(resource, 7)}") { id ${all} } }`);
      await graphql(`{ ${many}(first: 20) { nodes { id ${all} } } }`);
      await graphql(`{ ${many}(first: 20) { nodes { id ${slices} } } }`);
    });

    expectIndexes(plans);
    for (const line of lines) expect(accessesTo(line.resource.model, plans).length).toBeGreaterThan(2);
  });

  test.each(some(children))('$title: a list of one parent is found through an index', async (resource) => {
    const { base, many, model } = resource;
    const parentId = parentIdOf(resource);
    const nodes = `id ${resource.parents.map(({ field }) => `${field} { id }`).join(' ')}`;
    const page = (args: string) =>
      graphql(`{ page: ${many}(parentId: "${parentId}", ${args}) {
        totalCount edges { cursor node { ${nodes} } } pageInfo { hasNextPage hasPreviousPage }
      } }`);

    const plans = await plansFor(resource, async () => {
      await rest('GET', `${base}/${recordId(resource, 7)}`);
      await rest('GET', `${base}?parent_id=${parentId}`);
      await rest('GET', `${base}?parent_id=${parentId}&offset=5&limit=5`);
      const { cursor } = (await page('first: 5')).page.edges[4];
      await page(`first: 5, after: "${cursor}"`);
      await page(`last: 2, before: "${cursor}"`);
      await page('last: 5');
    });

    expectIndexes(plans);
    expect(accessesTo(model, plans).length).toBeGreaterThan(6);
  });

  test.each(some(lists))(
    '$title: a deep offset reads an index and then only the records of the page',
    async ({ base, model }) => {
      const plans = await plansOf(() => rest('GET', `${base}?offset=${deep}&limit=20`));

      const accesses = accessesTo(model, plans);
      // Compiled, from the newest or within a block: only one is walked, as `deep-offsets.test.ts` counts.
      expect(accesses, JSON.stringify(plans)).toHaveLength(compiled ? 3 : 2);
      const skips = accesses.filter(({ indexOnly }) => indexOnly);
      expect(skips).toEqual(
        (compiled ? ['walk', 'search'] : ['walk']).map((how) => ({
          table: model,
          how,
          indexOnly: true,
          limited: true,
        })),
      );
      expect(accesses).toContainEqual(expect.objectContaining({ how: 'search', indexOnly: false }));
    },
  );

  test.each(some(lists))('$title: a page behind a cursor begins at the cursor', async ({ many, model }) => {
    const { page } = await graphql(`{ page: ${many}(first: 1, offset: ${deep}) { edges { cursor } } }`);
    const { cursor } = page.edges[0];
    const plans = await plansOf(() => graphql(`{ ${many}(first: 20, after: "${cursor}") { nodes { id version } } }`));

    expect(accessesTo(model, plans)).toEqual([expect.objectContaining({ how: 'search', limited: true })]);
  });

  test.each(some(lists))('$title: the total is read without looking at a record', async ({ many }) => {
    const plans = await plansOf(() => graphql(`{ ${many} { totalCount } }`));

    // Statements about keys come in between: who asked, and when a key was last used.
    const tables = plans.map(({ accesses }) => accesses.map(({ table }) => table));
    expect(tables.filter((each) => !each.includes('ApiKey')).flat()).toEqual(['RecordCount']);
  });
});
