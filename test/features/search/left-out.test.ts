/** Without the feature nothing is searched, and no change is indexed. */
import { expect, test } from 'vitest';
import { writersOf } from '../../../src/cli/command.js';
import { search } from '../../../src/features/search/index.js';
import { features } from '../../../src/features.js';
import { readConfig } from '../../../src/gateway/config/config.js';
import { servedFeatures } from '../../../src/gateway/feature.js';
import { createSchema } from '../../../src/graphql/create-schema.js';
import { databaseInTurn } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';

const without = features.filter((feature) => feature !== search);

test.each(databaseInTurn(import.meta.filename))('changes on %s are indexed only with the feature', async (database) => {
  const env = { SEARCH: 'true' };
  const others = await servedFeatures(without, readConfig(env, features));
  const schema = createSchema({ resources, features: others });
  for (const isThere of [true, false]) {
    const gateway = await startGateway({ database, env, ...(!isThere && { features: others, schema }) });
    const created = await gateway.rest('POST', '/api/crm/industry-type', { industry: 'Steelworks' });
    expect(created.status).toBe(201);
    const rows = await gateway.database.client.$queryRawUnsafe('SELECT "words" FROM "SearchText"');
    expect(rows).toHaveLength(isThere ? 1 : 0);
    const { body } = await gateway.graphql('{ industryTypes(search: "steelworks") { totalCount } }');
    if (isThere) expect(body.data.industryTypes.totalCount).toBe(1);
    else expect(body.errors[0].message).toContain('Unknown argument "search"');
    await gateway.close();
  }
});

test('a command writes what the features write', async () => {
  expect(await writersOf(features)).toHaveLength(1);
  expect(await writersOf(without)).toEqual([]);
});
