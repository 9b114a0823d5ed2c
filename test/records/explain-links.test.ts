import { describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { expectIndexes, explained } from '../support/explained.js';
import { recordId } from '../support/many-records.js';
import { resources } from '../support/resources.js';

const queryPaths = providers.flatMap((provider) => [
  { provider, compiled: true, queryPath: 'compiled SQL' },
  { provider, compiled: false, queryPath: 'resolvers' },
]);

const links = resources.flatMap((naming) => naming.links.map((link) => ({ ...link, naming, named: link.resource })));

describe.each(queryPaths)('on $provider, by $queryPath', ({ provider, compiled }) => {
  const { plansOf, graphql } = explained({ provider, compiled });

  test.each(links)('$naming.title: what `$text` names is found through an index, and back', async (link) => {
    const { field, text, naming, named } = link;
    const wayBack = named.waysBack.find((each) => each.resource === naming && each.link.text === text);
    const plans = await plansOf(async () => {
      await graphql(`{ ${naming.one}(id: "${recordId(naming, 7)}") { ${field} { id version } } }`);
      await graphql(`{ ${named.one}(id: "${recordId(named, 7)}") { ${wayBack?.field}(first: 5) {
        totalCount pageInfo { hasNextPage endCursor } nodes { id ${field} { id } }
      } } }`);
      // The texts have few values here, so PostgreSQL may as well count their records by reading the small table.
    }, 'indexed');
    // Prisma requests no rows by a condition that is never true; SQLite's plan does not show that nothing is read.
    expectIndexes(plans.filter(({ sql }) => !sql.includes('WHERE 1=0')));
    expect(plans.length).toBeGreaterThan(1);
  });
});
