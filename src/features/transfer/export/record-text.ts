/** Writes rows as text, in the order of the columns that are read for it. */

import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Field, FieldType } from '../../../model/field.js';
import type { Resource } from '../../../model/resource.js';
import { joinedObject } from '../../../query/sql/joined-object.js';
import { withPlainNumbers } from '../../../query/sql/plain-numbers.js';
import { sqliteMarked } from '../../../query/sql/record-form.js';

/** How values are written. */
export interface ValueForm {
  /** Whether a record is the members of a JSON object; the other properties then describe these. */
  isJson: boolean;
  /** The text of a value that is not null. */
  textOf: Record<FieldType, (cell: unknown) => string>;
  nothing: string;
  /** What stands before the value of a field. */
  before(name: string, place: number): string;
}

export interface RecordText {
  names: readonly string[];
  /** The columns to read, as SQL. */
  columns: readonly string[];
  /** The text of a row whose columns from `start` on are these. */
  textOf(row: readonly unknown[], start: number): string;
}

/** Fields that a line has from its place in a document, and those that are not to be shown, are `without`. */
export function recordText(
  provider: Provider,
  resource: Resource,
  without: (field: Field) => boolean,
  form: ValueForm,
): RecordText {
  const members: Member[] = [
    { name: 'id', sql: '"id"', type: 'String' },
    { name: 'version', sql: '"version"', type: 'Int' },
  ];
  if (resource.timestamps) {
    for (const name of ['createdAt', 'updatedAt']) {
      members.push({ name, sql: instantSql(provider, name), type: 'String' });
    }
  }
  for (const field of resource.fields) {
    if (!without(field)) members.push({ name: field.name, sql: `"${field.name}"`, type: field.type });
  }
  return {
    names: members.map(({ name }) => name),
    ...(provider === 'sqlite' && form.isJson ? writtenBySqlite(members) : writtenHere(members, form)),
  };
}

interface Member {
  name: string;
  sql: string;
  type: FieldType;
}

type Writing = Pick<RecordText, 'columns' | 'textOf'>;

function writtenHere(members: readonly Member[], form: ValueForm): Writing {
  const heads = members.map(({ name }, place) => form.before(name, place));
  const texts = members.map(({ type }) => form.textOf[type]);
  const { nothing } = form;
  return {
    columns: members.map(({ sql }) => sql),
    textOf: (row, start) => {
      let text = '';
      for (const [place, head] of heads.entries()) {
        const cell = row[start + place];
        text += head + (cell === null ? nothing : (texts[place]?.(cell) ?? nothing));
      }
      return text;
    },
  };
}

/** SQLite writes a JSON object itself, as for compiled reads: in half the time that reading its columns one by one takes. */
function writtenBySqlite(members: readonly Member[]): Writing {
  const object = joinedObject(
    members.map(({ name, sql, type }) => {
      return [name, { sql: sqliteMarked.value(sql, type), isJson: false, isMarked: type === 'Float' }];
    }),
  );
  return { columns: [object], textOf: (row, start) => withPlainNumbers(String(row[start])).slice(1, -1) };
}

/** `2026-11-20T08:00:00.000Z` on both databases. */
const instantSql = (provider: Provider, column: string): string =>
  provider === 'sqlite' ? `substr("${column}", 1, 23) || 'Z'` : `to_char("${column}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
