import { expect, test } from 'vitest';
import { documentedResources } from './document.js';
import { showFieldsLeftOut } from './fields-left-out.js';
import { showFieldsWritten } from './fields-written.js';
import { camel, selectionOf } from './graphql-names.js';
import { everyRound, fixedValues, oddBody } from './odd-records.js';
import { onBothDatabases } from './on-both-databases.js';
import { documented } from './records.js';
import { surfaces } from './surfaces.js';

onBothDatabases((gateway, share) => {
  for (const [index, surface] of surfaces.entries()) {
    // A case that is tested through REST on one database is tested through GraphQL on the other.
    const mine = share([...documentedResources.slice(index), ...documentedResources.slice(0, index)]);
    showFieldsWritten(gateway, surface, mine);
    showFieldsLeftOut(gateway, surface, mine);
  }

  test('a value written as a literal of GraphQL is read as it would be from a variable', async () => {
    const repair = documented('Asset Repair');
    for (const round of everyRound) {
      const body = oddBody(repair, round, fixedValues(repair, 'draft', '', 0));
      const literals = Object.entries(body).map(
        ([name, value]) => `${camel(name)}: ${name === 'status' ? 'DRAFT' : JSON.stringify(value)}`,
      );
      const mutation = `mutation { createAssetRepair(input: { ${literals} }) { record { ${selectionOf(repair)} } } }`;
      expect((await gateway().graphql(mutation)).body.data?.createAssetRepair.record).toMatchObject(body);
    }
  });
});
