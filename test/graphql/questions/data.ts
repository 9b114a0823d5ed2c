/** Random records, inserted into both databases by plain SQL. */
import fc from 'fast-check';
import type { Resource } from '../../../src/model/resource.js';
import { columnsOf, resourceNamed } from './columns.js';
import type { Plain, Row } from './plain-database.js';
import { arbitraryValue } from './values.js';

/** Rows by model, parents before their lines. */
export type Data = ReadonlyMap<string, readonly Row[]>;

const recordsOfEach = 40;
const mostLines = 5;

/** Records of these models with up to 5 lines in each of their lists; the same for the same seed. */
export function randomData(models: readonly string[], seed: number): Data {
  const data = new Map<string, Row[]>();
  for (const [turn, model] of models.entries()) {
    const resource = resourceNamed(model);
    const parents = fc.sample(valuesOf(resource), { seed: seed + turn, numRuns: recordsOfEach });
    const rows = parents.map((values, index) => ({ ...values, id: idOf(resource, index) }));
    data.set(model, rows);
    for (const [place, lines] of resource.lines.entries()) {
      const numbers = { seed: seed + turn + place, numRuns: recordsOfEach };
      const counts = fc.sample(fc.integer({ min: 0, max: mostLines }), numbers);
      const total = counts.reduce((sum, count) => sum + count, 0);
      const values = fc.sample(valuesOf(lines.resource), { ...numbers, numRuns: total });
      const owners = counts.flatMap((count, owner) =>
        Array.from({ length: count }, (_, index) => ({ owner, idx: index + 1 })),
      );
      data.set(
        lines.resource.model,
        owners.map(({ owner, idx }, index) => ({
          ...values[index],
          id: idOf(lines.resource, index),
          idx,
          ...ownership(lines.resource, lines.reference, rows[owner]?.id, owner),
        })),
      );
    }
  }
  return new Map(
    [...data].map(([model, rows]) => [model, rows.map((row, index) => ({ ...row, ...namesOf(model, index, data) }))]),
  );
}

/** Most texts that name records by id name an existing one; numbers are equal by chance. */
function namesOf(model: string, index: number, data: Data): Row {
  const names = resourceNamed(model).links.flatMap(({ text, resource, by }): [string, unknown][] => {
    const named = data.get(resource.model) ?? [];
    const isNamed = by === 'id' && index % 4 > 0 && named.length > 0;
    return isNamed ? [[text, named[(index * 7) % Math.min(named.length, 9)]?.id]] : [];
  });
  return Object.fromEntries(names);
}

/** Some of the lines that may belong to any record belong to one that the gateway does not store. */
function ownership(child: Resource, reference: string, id: unknown, owner: number): Row {
  if (child.scope === reference) return { [reference]: id };
  return owner % 4 === 0 ? { parentId: `work order ${owner}`, [reference]: null } : { parentId: id, [reference]: id };
}

export async function fill({ provider, rows }: Plain, data: Data): Promise<void> {
  for (const [model, records] of data) {
    const times = new Set(
      columnsOf(resourceNamed(model)).flatMap(({ name, type }) => (type === 'DateTime' ? [name] : [])),
    );
    for (const record of records) {
      const names = Object.keys(record);
      const places = names.map((_, index) => (provider === 'sqlite' ? '?' : `$${index + 1}`));
      const values = names.map((name) => stored(record[name], times.has(name), provider === 'sqlite'));
      const columns = names.map((name) => `"${name}"`).join();
      await rows(`INSERT INTO "${model}" (${columns}) VALUES (${places.join()})`, values);
    }
  }
}

function stored(value: unknown, isTime: boolean, isSqlite: boolean): unknown {
  if (!isSqlite) return value;
  if (typeof value === 'boolean') return Number(value);
  return isTime ? String(value).replace('Z', '+00:00') : value;
}

/** Ids rise with creation. */
const idOf = ({ slug }: Resource, index: number): string => `${slug}_${String(index).padStart(26, '0')}`;

/** All fields of a record except its id and references; a third of the nullable ones are null. */
function valuesOf(resource: Resource): fc.Arbitrary<Row> {
  const nullable = new Set(resource.fields.filter((field) => field.nullable).map(({ name }) => name));
  const columns = columnsOf(resource).filter(({ name }) => name !== 'id' && name !== 'idx' && name !== resource.scope);
  return fc.record(
    Object.fromEntries(
      columns.map((column) => [
        column.name,
        nullable.has(column.name) ? fc.option(arbitraryValue(column), { freq: 2 }) : arbitraryValue(column),
      ]),
    ),
  );
}
