/**
 * The floor: the same endpoints written by hand with Express 5 and better-sqlite3 over the same database. It has
 * prepared statements, `JSON.stringify` and a key check; the same answers and the same durability; but no GraphQL,
 * expected versions, limits or logs, and no validation except in `floor-changes.ts`. Reads DATABASE_URL, PORT and
 * API_KEY.
 */
import express from 'express';
import { openSqliteFile } from '../src/database/sqlite/sqlite-library.js';
import { createIds } from '../src/model/ids.js';
import { addChanges } from './floor-changes.js';
import { floorTable, newRepair, type Row, storedInstant } from './floor-table.js';
import { snakeCase } from './phrases/fields.js';

const database = openSqliteFile((process.env.DATABASE_URL ?? '').slice('file:'.length), {});
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');
database.pragma('cache_size = -32000');

const restRepairs = floorTable(database, 'AssetRepair', snakeCase);
const quotations = floorTable(database, 'Quotation', snakeCase);
const repairs = floorTable(database, 'AssetRepair');
const items = floorTable(database, 'AssetRepairConsumedItem');
const invoices = floorTable(database, 'AssetRepairPurchaseInvoice');
const ids = createIds();

/** Defaults of a new repair, with REST names. */
const newRestRepair = { status: 'draft', repair_status: 'Pending', repair_cost: 0, capitalize_repair_cost: false };

const repairBase = '/api/assets/asset-repair';
const authorization = `Bearer ${process.env.API_KEY}`;

const app = express();
app.use((request, response, next) => {
  if (request.headers.authorization === authorization) next();
  else response.status(401).json({ error: 'No such key' });
});
app.use(express.json());

app.get(repairBase, (request, response) => {
  response.json(page(restRepairs, request.query));
});

app.get(`${repairBase}/with-lines`, (_request, response) => {
  const newest = repairs.newest(20, 0);
  const newestIds = newest.map(({ id }) => id);
  const [itemsOf, invoicesOf] = [items.ofParents(newestIds), invoices.ofParents(newestIds)];
  const nodes = newest.map((repair) => ({
    ...repair,
    consumedItems: itemsOf.get(repair.id),
    purchaseInvoices: invoicesOf.get(repair.id),
  }));
  response.json({ data: { assetRepairs: { nodes } } });
});

app.get(`${repairBase}/with-lines/:id`, (request, response) => {
  const repair = repairs.find(request.params.id);
  response.json({ data: { assetRepair: repair ? withLines(repair) : null } });
});

app.get(`${repairBase}/:id`, (request, response) => {
  const repair = restRepairs.find(request.params.id);
  if (repair) response.json(repair);
  else response.status(404).json({ error: 'No such repair' });
});

app.post(repairBase, (request, response) => {
  if (!request.body.asset || !request.body.failure_date) {
    response.status(400).json({ error: 'asset and failure_date are required' });
    return;
  }
  const { id, createdAt } = ids.next('asset-repair');
  restRepairs.insert({ ...newRestRepair, ...request.body, id, ...timestamps(createdAt) });
  response.status(201).json(restRepairs.find(id));
});

app.post(`${repairBase}/with-lines`, (request, response) => {
  const { consumedItems, purchaseInvoices, ...fields } = request.body;
  const { id, createdAt } = ids.next('asset-repair');
  const time = storedInstant(createdAt);
  const line = (slug: string, index: number) => ({ id: ids.next(slug).id, idx: index + 1, assetRepairId: id });
  const create = database.transaction(() => {
    repairs.insert({ ...newRepair, ...fields, id, createdAt: time, updatedAt: time });
    consumedItems.forEach((item: Row, index: number) => {
      items.insert({ ...line('asset-repair-consumed-item', index), ...item });
    });
    purchaseInvoices.forEach((invoice: Row, index: number) => {
      invoices.insert({ ...line('asset-repair-purchase-invoice', index), ...invoice });
    });
  });
  create.immediate();
  const repair = repairs.find(id);
  response.status(200).json({ data: { createAssetRepair: repair && withLines(repair) } });
});

app.patch(`${repairBase}/:id`, (request, response) => {
  const { id } = request.params;
  restRepairs.update(id, { ...request.body, updated_at: storedInstant(new Date()) });
  response.json(restRepairs.find(id));
});

app.get('/api/crm/quotation', (request, response) => {
  response.json(page(quotations, request.query));
});

addChanges(app, database, ids);

app.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');

function page(table: typeof restRepairs, { limit, offset }: { limit?: unknown; offset?: unknown }) {
  const [take, skip] = [Number(limit ?? 20), Number(offset ?? 0)];
  const data = table.newest(take, skip);
  const total = table.count();
  return { data, has_more: skip + data.length < total, total };
}

function withLines(repair: Row): Row {
  const { id } = repair;
  return { ...repair, consumedItems: items.ofParent(id), purchaseInvoices: invoices.ofParent(id) };
}

function timestamps(instant: Date): Row {
  return { created_at: storedInstant(instant), updated_at: storedInstant(instant) };
}
