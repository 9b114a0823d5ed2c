/** A client that creates, changes, extends and deletes its own documents, and records every answer. */
import { type Answer, type GatewayProcess, Unexpected } from './gateway-process.js';
import { type Document, invoicesAtFirst, type Ledger, linesAtFirst } from './ledger.js';

const base = '/api/assets/asset-repair';

const create = `mutation ($input: CreateAssetRepairInput!) { record: createAssetRepair(input: $input) { record { id } } }`;

/** One request about one document. Throws where it was not answered; the ledger then knows what was asked. */
export async function writeOnce(gateway: GatewayProcess, ledger: Ledger, name: string): Promise<void> {
  const own = [...ledger.documents.values()].filter(
    ({ asset, id, deleted }) => id && !deleted && asset.startsWith(`${name} `),
  );
  const document = own[Math.floor(Math.random() * own.length)];
  const dice = Math.random();
  if (!document || dice < 0.5) await createOne(gateway, ledger, name);
  else if (dice < 0.75) await change(gateway, document);
  else if (dice < 0.92) await addLine(gateway, document);
  else await remove(gateway, ledger, document);
  ledger.acknowledged++;
}

let created = 0;

async function createOne(gateway: GatewayProcess, ledger: Ledger, name: string): Promise<void> {
  const document: Document = { asset: `${name} ${++created}`, downtime: 'none', lines: linesAtFirst };
  ledger.documents.set(document.asset, document);
  const {
    record: { record },
  } = await gateway.graphql(create, {
    input: {
      asset: document.asset,
      downtime: document.downtime,
      failureDate: '2026-01-31',
      consumedItems: Array.from({ length: linesAtFirst }, () => ({ itemCode: 'bolt', warehouse: 'main' })),
      purchaseInvoices: Array.from({ length: invoicesAtFirst }, () => ({ expenseAccount: 'repairs', repairCost: 1 })),
    },
  });
  document.id = record.id;
}

async function change(gateway: GatewayProcess, document: Document): Promise<void> {
  const downtime = `${Math.random()}`;
  document.attempted = { downtime };
  expectStatus(await gateway.send('PATCH', `${base}/${document.id}`, { downtime }), 200);
  document.downtime = downtime;
  delete document.attempted;
}

async function addLine(gateway: GatewayProcess, document: Document): Promise<void> {
  document.attempted = 'line';
  const body = { asset_repair_id: document.id, idx: 1, item_code: 'nut', warehouse: 'main' };
  expectStatus(await gateway.send('POST', `${base}-consumed-item`, body), 201);
  document.lines++;
  delete document.attempted;
}

async function remove(gateway: GatewayProcess, ledger: Ledger, document: Document): Promise<void> {
  document.attempted = 'delete';
  expectStatus(await gateway.send('DELETE', `${base}/${document.id}`), 200);
  ledger.documents.set(document.asset, { ...document, deleted: true });
}

function expectStatus({ status, body }: Answer, wanted: number): void {
  if (status !== wanted) throw new Unexpected(`${status} instead of ${wanted}: ${JSON.stringify(body)}`);
}
