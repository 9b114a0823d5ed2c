/** Prepared statements for one table; its columns have the names of the answer. */
import type { Database } from 'better-sqlite3';
import { resourceOf } from '../test/support/resources.js';
import type { Model } from './data.js';
import { fieldsOf } from './phrases/fields.js';

export type Row = Record<string, unknown>;

export interface FloorTable {
  find(id: unknown): Row | undefined;
  newest(limit: number, offset: number): Row[];
  ofParent(id: unknown): Row[];
  /** The lines of several records with one statement, by the id of the record. */
  ofParents(ids: readonly unknown[]): Map<unknown, Row[]>;
  count(): number;
  ofIds(ids: readonly unknown[]): Row[];
  insert(row: Row): void;
  /** Sets these columns, which raises the version. */
  update(id: unknown, row: Row): void;
  /** Sets all columns, which raises the version. */
  replace(row: Row): void;
  /** Deletes the row, and its lines by foreign keys. Returns whether it was there. */
  remove(id: unknown): boolean;
}

export function floorTable(
  database: Database,
  model: Model,
  nameOf = (field: string) => field,
  fields = fieldsOf(model),
): FloorTable {
  const columns = fields.map((field) => ({ column: `"${field}"`, name: nameOf(field) }));
  const booleans = resourceOf(model)
    .fields.filter(({ type }) => type === 'Boolean')
    .map(({ name }) => nameOf(name));
  const instants = resourceOf(model).timestamps ? [nameOf('createdAt'), nameOf('updatedAt')] : [];
  const isLine = resourceOf(model).kind === 'child';

  const select = `SELECT ${columns.map(({ column, name }) => `${column} AS "${name}"`).join(', ')} FROM "${model}"`;
  const find = database.prepare<[unknown], Row>(`${select} WHERE "id" = ?`);
  const newest = database.prepare<[number, number], Row>(`${select} ORDER BY "id" DESC LIMIT ? OFFSET ?`);
  const ofParent = isLine && database.prepare<[unknown], Row>(`${select} WHERE "assetRepairId" = ? ORDER BY "idx"`);
  const ofParents =
    isLine &&
    database.prepare<[string], Row>(
      `${select} WHERE "assetRepairId" IN (SELECT value FROM json_each(?)) ORDER BY "assetRepairId", "idx"`,
    );
  const count = database.prepare<[], number>(`SELECT count(*) FROM "${model}"`).pluck();
  const insert = database.prepare(
    `INSERT INTO "${model}" (${columns.map(({ column }) => column).join(', ')})
      VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const ofIds = database.prepare<[string], Row>(
    `${select} WHERE "id" IN (SELECT value FROM json_each(?)) ORDER BY "id"`,
  );
  const written = columns.filter(({ name }) => name !== 'id' && name !== 'version');
  const replace = database.prepare(
    `UPDATE "${model}" SET ${written.map(({ column }) => `${column} = ?`).join(', ')}, "version" = "version" + 1
      WHERE "id" = ?`,
  );
  const remove = database.prepare<[unknown]>(`DELETE FROM "${model}" WHERE "id" = ?`);
  const updates = new Map<string, ReturnType<typeof prepareUpdate>>();

  /** SQLite stores booleans as numbers, and instants with an offset instead of Z. */
  function answer(row: Row): Row {
    for (const name of booleans) row[name] = row[name] === null ? null : row[name] === 1;
    for (const name of instants) row[name] = String(row[name]).replace('+00:00', 'Z');
    return row;
  }

  function prepareUpdate(names: readonly string[]) {
    const set = columns.filter(({ name }) => names.includes(name)).map(({ column, name }) => `${column} = @${name}`);
    return database.prepare<[Row]>(
      `UPDATE "${model}" SET ${set.join(', ')}, "version" = "version" + 1 WHERE "id" = @id`,
    );
  }

  return {
    find: (id) => {
      const row = find.get(id);
      return row && answer(row);
    },
    newest: (limit, offset) => newest.all(limit, offset).map(answer),
    ofParent: (id) => (ofParent ? ofParent.all(id).map(answer) : []),
    ofParents: (ids) => {
      const groups = new Map<unknown, Row[]>(ids.map((id) => [id, []]));
      const rows = ofParents ? ofParents.all(JSON.stringify(ids)).map(answer) : [];
      for (const row of rows) groups.get(row.assetRepairId)?.push(row);
      return groups;
    },
    count: () => count.get() ?? 0,
    ofIds: (ids) => ofIds.all(JSON.stringify(ids)).map(answer),
    insert: (row) => void insert.run(columns.map(({ name }) => bound(row[name]))),
    update: (id, row) => {
      const key = Object.keys(row).join();
      const kept = updates.get(key) ?? prepareUpdate(Object.keys(row));
      updates.set(key, kept);
      kept.run({ ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, bound(value)])), id });
    },
    replace: (row) => void replace.run([...written.map(({ name }) => bound(row[name])), row.id]),
    remove: (id) => remove.run(id).changes > 0,
  };
}

/** Defaults of a new repair. */
export const newRepair = { status: 'draft', repairStatus: 'Pending', repairCost: 0, capitalizeRepairCost: false };

export function storedInstant(instant: Date): string {
  return instant.toISOString().replace('Z', '+00:00');
}

function bound(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return value ?? null;
}
