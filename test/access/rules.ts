/** Two companies on one gateway, for tests of what callers with roles are told by its features. */
import { onTestFinished } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { createKey } from '../../src/features/keys/api-keys.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type Caller, callerOf } from './keys.js';
import { rolesFile } from './roles.js';

const ofCompany = { company: { eq: '$claims.company' } };
const own = { createdBy: { eq: '$subject' } };
const scopes = ['assets:read', 'assets:write', 'assets:submit', 'assets:delete', 'stock:read', 'webhooks'];

/** `reader` sees the repairs of its company, `plain` too, but not their descriptions, `liner` not the serial numbers of their lines, `counter` not their total costs; `payer` sees payments by a way, and not their accounts; `author` may change them, and `owner` those it has made. */
export const rolesOfRules = {
  reader: {
    scopes,
    types: { AssetRepair: { read: ofCompany }, SerialNo: { read: true } },
    hide: { AssetRepair: ['actionsPerformed'], AssetRepairConsumedItem: ['serialNo'] },
  },
  plain: { scopes, types: { AssetRepair: { read: ofCompany } }, hide: { AssetRepair: ['description'] } },
  owner: { scopes, types: { AssetRepair: { read: own, create: true, update: own, delete: own } } },
  liner: {
    scopes,
    types: { AssetRepair: { read: ofCompany }, SerialNo: { read: true } },
    hide: { AssetRepairConsumedItem: ['serialNo'] },
  },
  counter: { scopes, types: { AssetRepair: { read: ofCompany } }, hide: { AssetRepair: ['totalRepairCost'] } },
  payer: {
    scopes: ['accounts:read'],
    types: { SalesInvoicePayment: { read: { modeOfPayment: { eq: '$claims.company' } } } },
    hide: { SalesInvoicePayment: ['account'] },
  },
  author: {
    scopes,
    types: { AssetRepair: { read: ofCompany, create: ofCompany, update: ofCompany, delete: ofCompany } },
  },
};

export interface Ruled extends TestGateway {
  file: string;
  /** A caller with a new key with one of the roles, of the company ACME unless another is named. */
  caller(role: keyof typeof rolesOfRules, company?: string): Promise<Caller>;
}

export async function startRuled(
  database: Provider,
  env: Record<string, string> = {},
  others: Omit<Parameters<typeof startGateway>[0] & object, 'database' | 'env'> = {},
): Promise<Ruled> {
  const file = rolesFile(rolesOfRules);
  const gateway = await startGateway({ database, env: { ROLES: file, ...env }, ...others });
  onTestFinished(() => gateway.close());
  return {
    ...gateway,
    file,
    async caller(role, company = 'ACME') {
      const claims = JSON.stringify({ company });
      const { apiKey, secret } = await createKey(gateway.database, { name: role, roles: [role], claims });
      return { id: apiKey.id, ...callerOf(gateway, secret) };
    },
  };
}

/** A new repair of a company with one line, made by a key without roles, as are its changes. */
export async function repairOf(gateway: Pick<Caller, 'graphql'>, company: string | null, others: object = {}) {
  const ask = async (mutation: string, variables: object) => {
    const { body, text } = await gateway.graphql(mutation, { ...variables });
    if (body.errors) throw new Error(text);
    return body.data;
  };
  const consumedItems = [{ itemCode: 'BELT', warehouse: 'Stores', serialNo: 'S-1' }];
  const input = {
    asset: 'lathe',
    failureDate: '2026-01-01',
    company,
    actionsPerformed: 'secretly oiled',
    consumedItems,
  };
  const made = await ask(
    'mutation ($input: CreateAssetRepairInput!) { made: createAssetRepair(input: $input) { record { id consumedItems { id } } } }',
    { input: { ...input, ...others } },
  );
  const { id, consumedItems: lines }: { id: string; consumedItems: { id: string }[] } = made.made.record;
  const line = lines[0]?.id ?? '';
  return {
    id,
    line,
    path: `/api/assets/asset-repair/${id}`,
    change: (values: object) =>
      ask(
        'mutation ($id: ID!, $input: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { record { id } } }',
        { id, input: values },
      ),
    changeLine: (values: object) =>
      ask(
        'mutation ($id: ID!, $input: UpdateAssetRepairConsumedItemInput!) { updateAssetRepairConsumedItem(id: $id, input: $input) { record { id } } }',
        { id: line, input: values },
      ),
    remove: () => ask('mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id }),
  };
}
