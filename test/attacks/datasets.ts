/** The data of the attacked databases: a few very large records, or many small ones. */

import type { Provider } from '../../src/database/migrations/migration-history.js';
import { startGateway } from '../faults/gateway-process.js';
import { administer, type Place } from '../faults/place.js';
import { fillStatement, recordId } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';
import { Sqlite } from '../support/sqlite-library.js';

export const repair = resourceOf('AssetRepair');
const line = resourceOf('AssetRepairConsumedItem');

/** The id of a repair of any dataset, from 1. */
export const repairId = (number: number): string => recordId(repair, number);

/** As many fields as an order may have. */
export const longFields = [
  'assetName',
  'description',
  'actionsPerformed',
  'downtime',
  'asset',
  'company',
  'costCenter',
  'project',
] as const;

export type DatasetName = keyof typeof datasets;

const letters = (provider: Provider, count: number): string =>
  provider === 'sqlite' ? `replace(hex(zeroblob(${count / 2})), '0', 'x')` : `repeat('x', ${count})`;
const setDescription = (provider: Provider, count: number, ids: string): string =>
  `UPDATE "AssetRepair" SET "description" = ${letters(provider, count)} WHERE "id" ${ids}`;

/** The statements that insert a dataset, after the migrations. */
const datasets = {
  /** 300 repairs with a text of a million characters each; the first has 100,000, the second 3,000,000, the third few. */
  texts: (provider: Provider) => [
    fillStatement(provider, repair, 300),
    setDescription(provider, 1_000_000, `> '${repairId(3)}'`),
    setDescription(provider, 100_000, `= '${repairId(1)}'`),
    setDescription(provider, 3_000_000, `= '${repairId(2)}'`),
  ],
  /** 300 repairs; the fourth has a text of a million characters in each of `longFields`. */
  longFields: (provider: Provider) => [
    fillStatement(provider, repair, 300),
    `UPDATE "AssetRepair" SET ${longFields.map((field) => `"${field}" = ${letters(provider, 1_000_000)}`)} WHERE "id" = '${repairId(4)}'`,
  ],
  /** 45,000 repairs, of which the first 2,250 have 20 lines. */
  rows: (provider: Provider) => [fillStatement(provider, repair, 45_000), fillStatement(provider, line, 45_000)],
} as const;

const databases = new Map<string, Promise<string>>();

/** The URL of a database with this dataset; created once in a run, because the attacks mostly read. */
export function databaseWith(place: Place, provider: Provider, name: DatasetName): Promise<string> {
  const known = databases.get(`${provider} ${name}`) ?? createDatabase(place, provider, name);
  databases.set(`${provider} ${name}`, known);
  return known;
}

async function createDatabase(place: Place, provider: Provider, name: DatasetName): Promise<string> {
  const databaseUrl = await place.database(provider);
  await (await startGateway({ databaseUrl })).stop(); // migrates
  const statements = datasets[name](provider);
  if (provider === 'postgresql') {
    for (const statement of [...statements, 'ANALYZE']) await administer(databaseUrl, statement);
    return databaseUrl;
  }
  const database = new Sqlite(databaseUrl.slice('file:'.length));
  for (const statement of statements) database.exec(statement);
  database.close();
  return databaseUrl;
}
