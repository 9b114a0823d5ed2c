/**
 * The floor's deletes, its changes of lines and its writes of many records. They do what the gateway does: they check
 * the fields, change nothing if nothing differs, raise the versions of what changes and of its repair, and answer with
 * the records, all in one transaction.
 */
import type { Database } from 'better-sqlite3';
import type { Express, NextFunction, Request, Response } from 'express';
import type { createIds } from '../src/model/ids.js';
import { InputError, inputChecks } from './floor-input.js';
import { floorTable, newRepair, type Row, storedInstant } from './floor-table.js';
import { fieldsOf } from './phrases/fields.js';
import { changePaths, linesPath } from './phrases/floor.js';
import { repairBase } from './phrases/gateway.js';

const LINE = 'AssetRepairConsumedItem';

export function addChanges(app: Express, database: Database, ids: ReturnType<typeof createIds>): void {
  const tableOf = (model: 'AssetRepair' | 'AssetRepairPurchaseInvoice' | typeof LINE) =>
    floorTable(database, model, undefined, [...fieldsOf(model), 'version']);
  const repairs = tableOf('AssetRepair');
  const items = tableOf(LINE);
  const invoices = tableOf('AssetRepairPurchaseInvoice');
  const repairInput = inputChecks('AssetRepair', ['consumedItems']);
  const itemInput = inputChecks(LINE, ['id']);
  const places = database.prepare<[unknown], Row>(`SELECT "id", "idx" FROM "${LINE}" WHERE "assetRepairId" = ?`);
  const move = database.prepare<[number, unknown]>(
    `UPDATE "${LINE}" SET "idx" = ?, "version" = "version" + 1 WHERE "id" = ?`,
  );
  const versionOf = database.prepare<[unknown], Row>('SELECT "id", "version" FROM "AssetRepair" WHERE "id" = ?');

  const raise = (id: unknown, fields: Row = {}) =>
    repairs.update(id, { ...fields, updatedAt: storedInstant(new Date()) });

  app.delete(`${repairBase}/:id`, ({ params: { id } }, response) => {
    if (repairs.remove(id)) response.json({ id, deleted: true });
    else response.status(404).json({ error: 'No such repair' });
  });

  app.delete(`${repairBase}${linesPath}/:id`, ({ params: { id } }, response) => {
    const deleteAssetRepair = repairs.remove(id) ? { deletedId: id, deleted: true } : null;
    response.json({ data: { deleteAssetRepair } });
  });

  const updateLine = database.transaction((id: string, input: Row) => {
    const line = items.find(id);
    if (!line) return undefined;
    if (differs(line, input)) {
      items.replace({ ...line, ...input });
      raise(line.assetRepairId);
    }
    return { ...items.find(id), assetRepair: versionOf.get(line.assetRepairId) };
  });
  app.patch(`${repairBase}${changePaths.line}/:id`, ({ params, body }, response) => {
    itemInput.ofChange(body);
    response.json({ data: { updateAssetRepairConsumedItem: updateLine.immediate(params.id, body) } });
  });

  const reorder = database.transaction((id: string, wanted: readonly string[]) => {
    const present = new Map(places.all(id).map((line) => [line.id, line.idx]));
    if (wanted.length !== present.size || new Set(wanted).size !== wanted.length) {
      throw new InputError('ids must name every line once');
    }
    let isChanged = false;
    wanted.forEach((line, index) => {
      const idx = present.get(line);
      if (idx === undefined) throw new InputError(`${line} is not a line of this repair`);
      if (idx === index + 1) return;
      move.run(index + 1, line);
      isChanged = true;
    });
    if (isChanged) raise(id);
    return items.ofParent(id);
  });
  app.put(`${repairBase}${changePaths.order}/:id`, ({ params, body }, response) => {
    response.json({ data: { reorderAssetRepairConsumedItems: reorder.immediate(params.id, body.ids) } });
  });

  const save = database.transaction((id: string, fields: Row, lines: readonly Row[]) => {
    const repair = repairs.find(id);
    if (!repair) return undefined;
    let isChanged = differs(repair, fields);
    const left = new Map(items.ofParent(id).map((line) => [line.id, line]));
    lines.forEach((input, index) => {
      const idx = index + 1;
      const line = left.get(input.id);
      if (input.id != null && !line) throw new InputError(`${input.id} is not a line of this repair`);
      left.delete(input.id);
      if (line?.idx === idx && !differs(line, input)) return;
      isChanged = true;
      if (line) {
        items.replace({ ...line, ...input, idx });
      } else {
        const created = { ...input, id: ids.next('asset-repair-consumed-item').id, idx, assetRepairId: id };
        itemInput.ofNew(created);
        items.insert({ ...created, version: 1 });
      }
    });
    for (const line of left.keys()) isChanged = items.remove(line);
    if (isChanged) raise(id, fields);
    return { ...repairs.find(id), consumedItems: items.ofParent(id) };
  });
  app.put(`${repairBase}${linesPath}/:id`, ({ params, body }, response) => {
    repairInput.ofChange(body);
    const { consumedItems, ...fields } = body;
    for (const line of consumedItems) itemInput.ofChange(line);
    response.json({ data: { saveAssetRepair: { record: save.immediate(params.id, fields, consumedItems) } } });
  });

  const createMany = database.transaction((inputs: readonly Row[]) => {
    const created = inputs.map((input) => {
      const { id, createdAt } = ids.next('asset-repair');
      const time = storedInstant(createdAt);
      repairs.insert({ ...newRepair, ...input, id, version: 1, createdAt: time, updatedAt: time });
      return id;
    });
    return repairs.ofIds(created);
  });
  app.post(`${repairBase}${changePaths.many}`, ({ body: { inputs } }, response) => {
    for (const input of inputs) repairInput.ofNew(input);
    response.json({ data: { createManyAssetRepairs: createMany.immediate(inputs) } });
  });

  app.get(`${repairBase}${changePaths.stored}/:id`, ({ params: { id } }, response) => {
    const repair = repairs.find(id);
    const lines = { consumedItems: items.ofParent(id), purchaseInvoices: invoices.ofParent(id) };
    response.json({ data: { assetRepair: repair ? { ...repair, ...lines } : null } });
  });

  app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
    response.status(error instanceof InputError ? 400 : 500).json({ error: error.message });
  });
}

function differs(row: Row, input: Row): boolean {
  return Object.keys(input).some((name) => input[name] !== row[name]);
}
