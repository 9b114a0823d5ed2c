/** Writes rows as JSON, in the order of the columns that are read for it. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Field, FieldType } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';

export interface RecordText {
  /** The columns to read, as SQL. */
  columns: readonly string[];
  /** The members of a JSON object, without braces, of a row whose columns from `start` on are these. */
  membersOf(row: readonly unknown[], start: number): string;
}

/** Fields that a line has from its place in a document, and those that are not to be shown, are `without`. */
export function recordText(provider: Provider, resource: Resource, without: (field: Field) => boolean): RecordText {
  const members: Member[] = [
    { name: 'id', sql: '"id"', textOf: textOf.String },
    { name: 'version', sql: '"version"', textOf: textOf.Int },
  ];
  if (resource.timestamps) {
    for (const name of ['createdAt', 'updatedAt']) {
      members.push({ name, sql: instantSql(provider, name), textOf: (cell) => `"${String(cell)}"` });
    }
  }
  for (const field of resource.fields) {
    if (!without(field)) members.push({ name: field.name, sql: `"${field.name}"`, textOf: textOf[field.type] });
  }
  const heads = members.map(({ name }, place) => `${place === 0 ? '' : ','}"${name}":`);
  const texts = members.map((member) => member.textOf);
  return {
    columns: members.map(({ sql }) => sql),
    membersOf: (row, start) => {
      let text = '';
      for (const [place, head] of heads.entries()) {
        const cell = row[start + place];
        text += head + (cell === null ? 'null' : (texts[place]?.(cell) ?? 'null'));
      }
      return text;
    },
  };
}

interface Member {
  name: string;
  sql: string;
  textOf: (cell: unknown) => string;
}

/** Numbers as JSON has them; drivers return booleans and integers in several forms. */
const textOf = {
  String: (cell) => JSON.stringify(String(cell)),
  Int: (cell) => String(Number(cell)),
  Float: (cell) => String(Number(cell)),
  Boolean: (cell) => (cell === true || Number(cell) === 1 ? 'true' : 'false'),
} satisfies Record<FieldType, (cell: unknown) => string>;

/** `2026-11-20T08:00:00.000Z` on both databases. */
const instantSql = (provider: Provider, column: string): string =>
  provider === 'sqlite' ? `substr("${column}", 1, 23) || 'Z'` : `to_char("${column}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
