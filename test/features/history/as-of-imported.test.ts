/** `asOf` of an imported document, also before the import, as far as its imported values say. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';

const id = 'asset-repair_01jd3yr5e0v3m7c2f9x5w8yt4b';
const line = { id: 'asset-repair-consumed-item_01jd3yr5e0v8r3kb1n6t0xq4ve', itemCode: 'BELT', warehouse: 'Stores' };
const brought = {
  ...{ __typename: 'AssetRepair', id, version: 3, asset: 'lathe', failureDate: '2025-01-31' },
  ...{ createdAt: '2025-02-01T08:00:00.000Z', updatedAt: '2025-03-01T08:00:00.000Z', consumedItems: [line] },
};

describe.each(providers)('on %s', (database) => {
  test('later changes do not affect what asOf returns', async () => {
    const url = await freshDatabaseUrl(database);
    const gateway = await startGateway({ database, env: { DATABASE_URL: url } });
    onTestFinished(() => gateway.close());
    const file = join(freshFolder(), 'records.jsonl');
    writeFileSync(file, JSON.stringify(brought));
    expect(await records(['import', file, '-q'], { DATABASE_URL: url })).toMatchObject({ code: 0 });

    const told = async () => {
      const answers: unknown[] = [];
      for (const at of ['2025-01-31', '2025-02-15', '2025-03-02']) {
        const { body } = await gateway.graphql(
          'query ($id: ID!, $at: DateTime) { assetRepair(id: $id, asOf: $at) { asset version updatedAt consumedItems { id } } }',
          { id, at },
        );
        const [{ extensions } = { extensions: undefined }] = body.errors ?? [];
        answers.push(extensions ? `${extensions.code} ${extensions.knownFrom}` : body.data.assetRepair);
      }
      return answers;
    };
    const { updatedAt, version } = brought;
    const expected = [
      null,
      `HISTORY_INCOMPLETE ${updatedAt}`,
      { asset: 'lathe', version, updatedAt, consumedItems: [{ id: `${line.id}@${version}` }] },
    ];
    expect(await told()).toEqual(expected);
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'mill' });
    expect(await told()).toEqual(expected);
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    expect(await told()).toEqual(expected);
  });
});
