/** The records of the attacked databases: few very large ones, or many small ones. */
import Sqlite from 'better-sqlite3';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { startGateway } from '../faults/gateway-process.js';
import { administer, type Place } from '../faults/place.js';
import { fillStatement, recordId } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';

export const repair = resourceOf('AssetRepair');
const line = resourceOf('AssetRepairConsumedItem');

/** The id of a repair of any stock, from 1. */
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

export type StockName = keyof typeof stocks;

const letters = (provider: Provider, count: number): string =>
  provider === 'sqlite' ? `replace(hex(zeroblob(${count / 2})), '0', 'x')` : `repeat('x', ${count})`;
const described = (provider: Provider, count: number, ids: string): string =>
  `UPDATE "AssetRepair" SET "description" = ${letters(provider, count)} WHERE "id" ${ids}`;

/** The statements that make a stock, after the migrations. */
const stocks = {
  /** 300 repairs with a text of a million characters each; the first has 100,000, the second 3,000,000, the third few. */
  texts: (provider: Provider) => [
    fillStatement(provider, repair, 300),
    described(provider, 1_000_000, `> '${repairId(3)}'`),
    described(provider, 100_000, `= '${repairId(1)}'`),
    described(provider, 3_000_000, `= '${repairId(2)}'`),
  ],
  /** 300 repairs; the fourth has a text of a million characters in each of `longFields`. */
  longFields: (provider: Provider) => [
    fillStatement(provider, repair, 300),
    `UPDATE "AssetRepair" SET ${longFields.map((field) => `"${field}" = ${letters(provider, 1_000_000)}`)} WHERE "id" = '${repairId(4)}'`,
  ],
  /** 45,000 repairs, of which the first 2,250 have 20 lines. */
  rows: (provider: Provider) => [fillStatement(provider, repair, 45_000), fillStatement(provider, line, 45_000)],
} as const;

const made = new Map<string, Promise<string>>();

/** The URL of a database with this stock; made once in a run, because the attacks mostly read. */
export function stocked(place: Place, provider: Provider, name: StockName): Promise<string> {
  const known = made.get(`${provider} ${name}`) ?? make(place, provider, name);
  made.set(`${provider} ${name}`, known);
  return known;
}

async function make(place: Place, provider: Provider, name: StockName): Promise<string> {
  const databaseUrl = await place.database(provider);
  await (await startGateway({ databaseUrl })).stop(); // migrates
  const statements = stocks[name](provider);
  if (provider === 'postgresql') {
    for (const statement of [...statements, 'ANALYZE']) await administer(databaseUrl, statement);
    return databaseUrl;
  }
  const database = new Sqlite(databaseUrl.slice('file:'.length));
  for (const statement of statements) database.exec(statement);
  database.close();
  return databaseUrl;
}
