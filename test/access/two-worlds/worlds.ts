/**
 * Two databases that differ only in what is hidden from a caller: rows of other companies, values of hidden fields, and their
 * entries in the journal and the index of words.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Provider } from '../../../src/database/migrations/migration-history.js';
import { type OpenedDatabase, openDatabase } from '../../../src/database/open-database.js';
import { createKey } from '../../../src/features/keys/api-keys.js';
import { createSchema } from '../../../src/graphql/create-schema.js';
import { freshDatabaseUrl, freshFolder } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';
import { serve } from '../../support/schema.js';
import { rolesFile } from '../roles.js';
import type { Random } from './random.js';
import { documentsOf, ownCompany } from './records.js';
import type { Replicated } from './standby.js';

const ofCompany = { company: { eq: '$claims.company' } };
const all = { read: ofCompany, create: ofCompany, update: ofCompany, delete: ofCompany };

/** The rules of the caller. Some actions ask for more than to see the record. */
export const roles = {
  worker: {
    scopes: ['assets', 'stock', 'manufacturing', 'projects', 'accounts', 'crm'].flatMap((area) =>
      ['read', 'write', 'submit', 'cancel', 'delete']
        .map((verb) => `${area}:${verb}`)
        .filter((scope) => !/^(accounts|crm):(submit|cancel)|crm:(submit|cancel)/.test(scope)),
    ),
    types: {
      AssetRepair: {
        ...all,
        update: { and: [ofCompany, { repairStatus: { ne: 'Completed' } }] },
        submit: { and: [ofCompany, { asset: { in: ['LATHE', 'PRESS'] } }] },
        cancel: ofCompany,
      },
      SerialNo: all,
      JobCard: { ...all, submit: ofCompany, delete: false },
      JobCardTimeLog: {
        read: { employee: { eq: 'EMP-1' } },
        create: { employee: { eq: 'EMP-1' } },
        update: { employee: { eq: 'EMP-1' } },
      },
      SalesInvoicePayment: {
        read: { modeOfPayment: { in: '$claims.modes' } },
        create: { modeOfPayment: { in: '$claims.modes' } },
        update: { modeOfPayment: { in: '$claims.modes' } },
        delete: { modeOfPayment: { eq: 'Cash' } },
      },
      Timesheet: { read: { and: [ofCompany, { not: { employee: { eq: 'EMP-2' } } }] }, create: true, update: true },
      IndustryType: { read: true, create: true, update: true },
    },
    hide: {
      AssetRepair: ['actionsPerformed', 'totalRepairCost'],
      AssetRepairConsumedItem: ['valuationRate', 'serialAndBatchBundle'],
      SerialNo: ['purchaseRate'],
      TimesheetDetail: ['costingRate'],
    },
  },
};

export const claims = JSON.stringify({ company: ownCompany, modes: ['Cash', 'Card'] });

export interface World {
  name: 'A' | 'B';
  gateway: TestGateway;
  secret: string;
}

/** What hides a row of a table from the caller, as SQL. */
const hiddenRows: Record<string, string> = {
  AssetRepair: `"company" IS DISTINCT FROM '${ownCompany}'`,
  SerialNo: `"company" IS DISTINCT FROM '${ownCompany}'`,
  JobCard: `"company" IS DISTINCT FROM '${ownCompany}'`,
  Timesheet: `"company" IS DISTINCT FROM '${ownCompany}' OR "employee" = 'EMP-2'`,
  UOMCategory: 'TRUE',
  Quotation: 'TRUE',
  JobCardTimeLog: `"jobCardId" IS NULL AND "employee" IS DISTINCT FROM 'EMP-1'`,
  SalesInvoicePayment: `"modeOfPayment" NOT IN ('Cash', 'Card')`,
};

/** Makes the two, filled with `documents` of each type and served alike. The first has what is hidden. */
export async function twoWorlds(
  provider: Provider,
  random: Random,
  options: { compiled: boolean; search: boolean; replicated?: Replicated | undefined },
): Promise<{ worlds: readonly [World, World]; ids: Map<string, string[]>; close(): Promise<void> }> {
  const { replicated } = options;
  const url = replicated?.url ?? (await freshDatabaseUrl(provider));
  const file = rolesFile(roles);
  const env = { ROLES: file, SEARCH: String(options.search), FEDERATION: 'true', DATABASE_URL: url };
  const schema = createSchema({ resources, features: await serve(env) });
  const seeding = await startGateway({ database: provider, env, schema });
  const { secret } = await createKey(seeding.database, { name: 'worker', roles: ['worker'], claims });
  const ids = new Map<string, string[]>();
  for (const { model, documents } of documentsOf(random)) {
    const made = ids.get(model) ?? [];
    for (const input of documents) {
      const { body } = await seeding.graphql(
        `mutation ($input: Create${model}Input!) { create${model}(input: $input) { record { id } } }`,
        { input },
      );
      const id = body.data?.[`create${model}`]?.record?.id;
      if (!id) throw new Error(`${model}: ${JSON.stringify(body)}`);
      made.push(id);
    }
    ids.set(model, made);
  }
  for (const id of ids.get('AssetRepair') ?? []) {
    if (random.chance(0.3))
      await seeding.graphql(
        `mutation ($id: ID!, $input: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { record { id } } }`,
        { id, input: { actionsPerformed: 'oiled', company: random.one([ownCompany, 'Umbrella']), totalRepairCost: 7 } },
      );
  }
  await seeding.close();
  const other = await copyOf(provider, url);
  const database = await openDatabase({ url: other, migrate: false });
  await removeHidden(database);
  await database.close();
  const worldOf = async (name: 'A' | 'B', databaseUrl: string): Promise<World> => ({
    name,
    secret,
    gateway: await startGateway({
      database: provider,
      compiled: options.compiled,
      schema,
      env: {
        ...env,
        DATABASE_URL: databaseUrl,
        ...(replicated && { DATABASE_READ_URL: replicated.read(databaseUrl) }),
      },
    }),
  });
  const worlds = [await worldOf('A', url), await worldOf('B', other)] as const;
  return {
    worlds,
    ids,
    close: async () => {
      for (const { gateway } of worlds) await gateway.close();
      await replicated?.stop();
    },
  };
}

async function copyOf(provider: Provider, url: string): Promise<string> {
  if (provider === 'sqlite') {
    const path = join(freshFolder(), 'records.db');
    copyFileSync(url.slice('file:'.length), path);
    return `file:${path}`;
  }
  const named = (name: string) => Object.assign(new URL(url), { pathname: name }).href;
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client(named('template1'));
  await client.connect();
  await client.query(`CREATE DATABASE "${name}_b" TEMPLATE "${name}"`);
  await client.end();
  return named(`${name}_b`);
}

async function removeHidden(database: OpenedDatabase): Promise<void> {
  const run = (sql: string) => database.client.$executeRawUnsafe(sql);
  for (const [model, hidden] of Object.entries(hiddenRows)) {
    await run(
      `DELETE FROM "JournalEntry" WHERE "documentId" IN (SELECT "id" FROM "${model}" WHERE ${hidden}) OR "recordId" IN (SELECT "id" FROM "${model}" WHERE ${hidden})`,
    );
    await run(
      `DELETE FROM "SearchWord" WHERE "textId" IN (SELECT "id" FROM "SearchText" WHERE "documentId" IN (SELECT "id" FROM "${model}" WHERE ${hidden}))`,
    );
    await run(`DELETE FROM "SearchText" WHERE "documentId" IN (SELECT "id" FROM "${model}" WHERE ${hidden})`);
    await run(`DELETE FROM "${model}" WHERE ${hidden}`);
  }
  await run(`UPDATE "AssetRepair" SET "actionsPerformed" = 'secret', "totalRepairCost" = 99`);
  await run(`UPDATE "AssetRepairConsumedItem" SET "valuationRate" = 12, "serialAndBatchBundle" = 'nothing'`);
  await run(`UPDATE "SerialNo" SET "purchaseRate" = 3`);
  await run(`UPDATE "TimesheetDetail" SET "costingRate" = 1`);
}

/** Everything that is hidden from the caller, to see that it stays as it is. */
export async function hiddenIn({ gateway }: World): Promise<object> {
  const found: Record<string, unknown> = {};
  for (const [model, hidden] of Object.entries(hiddenRows)) {
    found[model] = await gateway.database.client.$queryRawUnsafe(
      `SELECT * FROM "${model}" WHERE ${hidden} ORDER BY "id"`,
    );
  }
  return found;
}
