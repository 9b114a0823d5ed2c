/**
 * The floor on PostgreSQL: the least that a server over this database can do. node:http and `pg` with named prepared
 * statements, one for each request; reads are pipelined on two connections. It checks the key and nothing else, keeps no
 * counts and no journal, and reads totals from counts that nobody keeps. Reads DATABASE_URL, PORT and API_KEY.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { createIds } from '../src/model/ids.js';
import { postgresqlTable } from './floor-postgresql-table.js';
import { fieldsOf, snakeCase } from './phrases/fields.js';
import { changePaths, linesPath } from './phrases/floor.js';
import { repairBase } from './phrases/gateway.js';

const connectionString = process.env.DATABASE_URL;
const authorization = `Bearer ${process.env.API_KEY}`;
const pool = new pg.Pool({ connectionString, max: 8 });
const readers = [0, 1].map(() => new pg.Client({ connectionString, pipeline: true }));
await Promise.all(readers.map((reader) => reader.connect()));
const ids = createIds();

const ITEM = 'AssetRepairConsumedItem';
const restRepairs = postgresqlTable('AssetRepair', snakeCase);
const quotations = postgresqlTable('Quotation', snakeCase);
const repairs = postgresqlTable('AssetRepair');
const items = postgresqlTable(ITEM);
const invoices = postgresqlTable('AssetRepairPurchaseInvoice');
const versioned = (model: 'AssetRepair' | 'AssetRepairPurchaseInvoice' | typeof ITEM) =>
  postgresqlTable(model, undefined, [...fieldsOf(model), 'version']);
const [versionedRepairs, versionedItems, versionedInvoices] = [
  versioned('AssetRepair'),
  versioned(ITEM),
  versioned('AssetRepairPurchaseInvoice'),
];

type Values = readonly unknown[];
type Fields = Record<string, unknown>;
const names = new Map<string, string>();
let turn = 0;

function query(text: string, values: Values): pg.QueryArrayConfig {
  const name = names.get(text) ?? `floor_${names.size}`;
  names.set(text, name);
  return { name, text, values: [...values], rowMode: 'array' };
}
const read = async (text: string, values: Values): Promise<unknown[][]> =>
  (await readers[turn++ % readers.length]?.query<unknown[]>(query(text, values)))?.rows ?? [];
const write = async (text: string, values: Values): Promise<unknown[][]> =>
  (await pool.query<unknown[]>(query(text, values))).rows;

const ofRepair = 'WHERE t."assetRepairId" = r."id" ORDER BY t."idx"';
const withLists = (rest: string) =>
  `SELECT ${repairs.values('r')}, ${items.list(ofRepair)}, ${invoices.list(ofRepair)} FROM "AssetRepair" AS r ${rest}`;
const withLines = ([repair, itemsOf, invoicesOf]: Values, tables = [repairs, items, invoices]) => {
  const [of = repairs, ofItems = items, ofInvoices = invoices] = tables;
  return `{${of.members(repair)},"consumedItems":${ofItems.objects(itemsOf)},"purchaseInvoices":${ofInvoices.objects(invoicesOf)}}`;
};
const page = (table: typeof quotations, model: string) => {
  const total = `(SELECT sum("count") FROM "RecordCount" WHERE "model" = '${model}')`;
  const sql = `SELECT ${table.values('t')}, ${total} FROM "${model}" AS t ORDER BY t."id" DESC LIMIT 20`;
  return async () => {
    const rows = await read(sql, []);
    const data = rows.map(([values]) => `{${table.members(values)}}`).join();
    return `{"data":[${data}],"has_more":${Number(rows[0]?.[1]) > 20},"total":${rows[0]?.[1]}}`;
  };
};

const repairPage = page(restRepairs, 'AssetRepair');
const quotationPage = page(quotations, 'Quotation');
const newRepair = (fields: Fields): Fields => {
  const { id, createdAt } = ids.next('asset-repair');
  const at = createdAt.toISOString();
  return { id, ...fields, createdAt: at, updatedAt: at };
};
const camelCase = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name.replace(/_(\w)/g, (_, c) => c.toUpperCase()), value]),
  );
const versions = `"version" = "version" + 1, "updatedAt" = now() AT TIME ZONE 'UTC'`;
const sets = (fields: Fields) =>
  Object.keys(fields)
    .map((name, index) => `"${name}" = $${index + 2}`)
    .join(', ');
const newLines = (lines: Fields[], slug: string, assetRepairId: unknown) =>
  lines.map((line, index) => ({ id: ids.next(slug).id, idx: index + 1, assetRepairId, ...line }));

/** Answers to a method and the path behind that of asset repairs, with the id at its end as `:id`. */
const routes: Record<string, (id: string, body: Fields) => Promise<string>> = {
  'GET ': repairPage,
  'GET /:id': async (id) => {
    const [row] = await read(restRepairs.select('WHERE t."id" = $1'), [id]);
    return `{${restRepairs.members(row?.[0])}}`;
  },
  [`GET ${linesPath}/:id`]: async (id) => {
    const [row = []] = await read(withLists('WHERE r."id" = $1'), [id]);
    return `{"data":{"assetRepair":${withLines(row)}}}`;
  },
  [`GET ${linesPath}`]: async () => {
    const rows = await read(withLists('ORDER BY r."id" DESC LIMIT 20'), []);
    return `{"data":{"assetRepairs":{"nodes":[${rows.map((row) => withLines(row)).join()}]}}}`;
  },
  [`GET ${changePaths.stored}/:id`]: async (id) => {
    const sql = `SELECT ${versionedRepairs.values('r')}, ${versionedItems.list(ofRepair)}, ${versionedInvoices.list(ofRepair)} FROM "AssetRepair" AS r WHERE r."id" = $1`;
    const [row] = await read(sql, [id]);
    const repair = row ? withLines(row, [versionedRepairs, versionedItems, versionedInvoices]) : 'null';
    return `{"data":{"assetRepair":${repair}}}`;
  },
  'POST ': async (_id, body) => {
    const row = newRepair(camelCase(body));
    const sql = `${restRepairs.insert(Object.keys(row), 1)} RETURNING ${restRepairs.values('"AssetRepair"')}`;
    const [created] = await write(sql, Object.values(row));
    return `{${restRepairs.members(created?.[0])}}`;
  },
  [`POST ${linesPath}`]: async (_id, { consumedItems, purchaseInvoices, ...fields }) => {
    const row = newRepair(fields);
    const newItems = newLines(Array.isArray(consumedItems) ? consumedItems : [], 'asset-repair-consumed-item', row.id);
    const newInvoices = newLines(
      Array.isArray(purchaseInvoices) ? purchaseInvoices : [],
      'asset-repair-purchase-invoice',
      row.id,
    );
    const values = [row, ...newItems, ...newInvoices].flatMap((each) => Object.values(each));
    const itemColumns = Object.keys(newItems[0] ?? {});
    const behindItems = Object.keys(row).length + itemColumns.length * newItems.length;
    const sql = `WITH r AS (${repairs.insert(Object.keys(row), 1)} RETURNING *),
      i AS (${items.insert(itemColumns, newItems.length, Object.keys(row).length)} RETURNING *),
      p AS (${invoices.insert(Object.keys(newInvoices[0] ?? {}), newInvoices.length, behindItems)} RETURNING *)
      SELECT ${repairs.values('r')}, ${items.list('', 'i')}, ${invoices.list('', 'p')} FROM r`;
    const [created = []] = await write(sql, values);
    return `{"data":{"createAssetRepair":${withLines(created)}}}`;
  },
  [`POST ${changePaths.many}`]: async (_id, { inputs }) => {
    const rows = (Array.isArray(inputs) ? inputs : []).map(newRepair);
    const columns = Object.keys(rows[0] ?? {});
    const arrays = columns.map(
      (name, index) => `$${index + 1}::${name === 'repairCost' ? 'float8' : /At$/.test(name) ? 'timestamp' : 'text'}[]`,
    );
    const sql = `INSERT INTO "AssetRepair" (${columns.map((name) => `"${name}"`).join(', ')})
      SELECT * FROM unnest(${arrays.join(', ')}) RETURNING ${versionedRepairs.values('"AssetRepair"')}`;
    const created = await write(
      sql,
      columns.map((name) => rows.map((row) => row[name])),
    );
    return `{"data":{"createManyAssetRepairs":[${created.map(([values]) => `{${versionedRepairs.members(values)}}`).join()}]}}`;
  },
  [`PATCH ${changePaths.line}/:id`]: async (id, fields) => {
    const sql = `WITH t AS (
        UPDATE "${ITEM}" SET ${sets(fields)}, "version" = "version" + 1 WHERE "id" = $1 RETURNING *
      ), r AS (
        UPDATE "AssetRepair" SET ${versions} WHERE "id" = (SELECT "assetRepairId" FROM t) RETURNING "id", "version"
      ) SELECT ${versionedItems.values('t')}, r."id", r."version" FROM t, r`;
    const [[line, parent, version] = []] = await write(sql, [id, ...Object.values(fields)]);
    return `{"data":{"updateAssetRepairConsumedItem":{${versionedItems.members(line)},"assetRepair":{"id":"${parent}","version":${version}}}}}`;
  },
  'DELETE /:id': async (id) => {
    const gone = await write('DELETE FROM "AssetRepair" WHERE "id" = $1 RETURNING "id"', [id]);
    return `{"id":"${gone[0]?.[0]}","deleted":true}`;
  },
  [`DELETE ${linesPath}/:id`]: async (id) => {
    const gone = await write('DELETE FROM "AssetRepair" WHERE "id" = $1 RETURNING "id"', [id]);
    return `{"data":{"deleteAssetRepair":{"deletedId":"${gone[0]?.[0]}","deleted":true}}}`;
  },
};

const named = new Set<string>(Object.values({ linesPath, ...changePaths }));

function routeOf({ method, url = '' }: IncomingMessage): [route: string, id: string] {
  const rest = url.slice(repairBase.length);
  if (rest === '' || named.has(rest)) return [`${method} ${rest}`, ''];
  const place = rest.lastIndexOf('/');
  return [`${method} ${rest.slice(0, place)}/:id`, rest.slice(place + 1)];
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers.authorization !== authorization) return void response.writeHead(401).end();
  let text = '';
  if (request.method !== 'GET' && request.method !== 'DELETE') for await (const part of request) text += part;
  const body: Fields = text === '' ? {} : JSON.parse(text);
  const [route, id] = routeOf(request);
  const work = request.url === '/api/crm/quotation' ? quotationPage : routes[route];
  if (!work) return void response.writeHead(404).end();
  const json = Buffer.from(await work(id, body));
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': json.length }).end(json);
}

createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
}).listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
