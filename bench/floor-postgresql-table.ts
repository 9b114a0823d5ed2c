/** SQL for one table on PostgreSQL: its rows as arrays of values, to which this process adds the keys. */
import { JsonScanner } from '../src/query/sql/record-reader.js';
import { resourceOf } from '../test/support/resources.js';
import type { Model } from './data.js';
import { fieldsOf } from './phrases/fields.js';

export interface PostgresqlTable {
  /** The array of the values of the row `alias`, as text. */
  values(alias: string): string;
  /** The text of an array of the arrays of the rows that `rest` selects from the table `t`. */
  list(rest: string, from?: string): string;
  /** The members of the JSON object of such an array, without the braces. */
  members(values: unknown): string;
  /** The JSON of the objects of such a list. */
  objects(list: unknown): string;
  /** `WHERE`, `ORDER BY` and so on are in `rest`. */
  select(rest: string): string;
  /** Inserts rows of these columns; the placeholders begin behind `bound` others. */
  insert(columns: readonly string[], rows: number, bound?: number): string;
}

export function postgresqlTable(
  model: Model,
  nameOf = (field: string) => field,
  fields = fieldsOf(model),
): PostgresqlTable {
  const { timestamps } = resourceOf(model);
  const starts = fields.map((field, index) => `${index === 0 ? '' : ','}"${nameOf(field)}":`);
  const isInstant = fields.map((field) => timestamps && (field === 'createdAt' || field === 'updatedAt'));
  const json = (alias: string) => `json_build_array(${fields.map((field) => `${alias}."${field}"`).join(', ')})`;
  const membersOf = (scanner: JsonScanner) => {
    scanner.enter();
    let text = '';
    for (let index = 0; index < starts.length; index++) {
      scanner.hasNext();
      const value = scanner.value();
      text += starts[index] + (isInstant[index] ? instant(value) : value);
    }
    scanner.leave();
    return text;
  };

  return {
    values: (alias) => `${json(alias)}::text`,
    list: (rest, from = `"${model}"`) => `array_to_json(ARRAY(SELECT ${json('t')} FROM ${from} AS t ${rest}))::text`,
    members: (values) => membersOf(new JsonScanner(String(values))),
    objects: (list) => {
      const scanner = new JsonScanner(String(list));
      const objects: string[] = [];
      scanner.enter();
      while (scanner.hasNext()) objects.push(`{${membersOf(scanner)}}`);
      return `[${objects.join()}]`;
    },
    select: (rest) => `SELECT ${json('t')}::text FROM "${model}" AS t ${rest}`,
    insert: (columns, rows, bound = 0) => {
      const row = (index: number) =>
        `(${columns.map((_, column) => `$${bound + index * columns.length + column + 1}`).join(', ')})`;
      const names = columns.map((name) => `"${name}"`).join(', ');
      return `INSERT INTO "${model}" (${names}) VALUES ${Array.from({ length: rows }, (_, index) => row(index)).join(', ')}`;
    },
  };
}

function instant(value: string): string {
  const [seconds = '', fraction = ''] = value.slice(1, -1).split('.');
  return `"${seconds}.${fraction.padEnd(3, '0')}Z"`;
}
