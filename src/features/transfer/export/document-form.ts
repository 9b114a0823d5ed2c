/** How documents are written: as lines of JSON, or as rows of CSV. */
import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Field, FieldType } from '../../../model/field.js';
import { authorColumns, type Resource } from '../../../model/resource.js';
import { joinedObject, sqliteMarked } from '../../../query/sql/record-form.js';
import { withPlainNumbers } from '../../../query/sql/record-reader.js';

export interface DocumentForm {
  /** Whether a record is the members of a JSON object; the next three properties then describe these. */
  isJson: boolean;
  /** The text of a value that is not null. */
  textOf: Record<FieldType, (cell: unknown) => string>;
  nothing: string;
  /** What stands before the value of a field. */
  before(name: string, place: number): string;
  /** What stands before the documents of a type. */
  head(parts: DocumentParts): string;
  /** A document of these parts, of which `own` and `lists` hold the texts; ends with a line end. */
  document(parts: DocumentParts, own: string, lists: readonly (readonly string[])[]): string;
}

/** The fields of a type of documents, and of its lists of lines. */
interface DocumentParts {
  type: string;
  own: RecordText;
  lists: readonly { field: string; text: RecordText }[];
}

/** Numbers and booleans as JSON has them; drivers return them in several forms. */
const plainText = {
  Int: (cell) => String(Number(cell)),
  Float: (cell) => String(Number(cell)),
  Boolean: (cell) => (cell === true || Number(cell) === 1 ? 'true' : 'false'),
} satisfies Partial<DocumentForm['textOf']>;

/** A document with its lines is an object in a line. */
export const jsonForm: DocumentForm = {
  isJson: true,
  textOf: { ...plainText, String: (cell) => JSON.stringify(String(cell)) },
  nothing: 'null',
  before: (name, place) => `${place === 0 ? '' : ','}"${name}":`,
  head: () => '',
  document({ type, lists: known }, own, lists) {
    let text = `{"__typename":"${type}",${own}`;
    for (const [place, { field }] of known.entries()) {
      text += `,"${field}":[${lists[place]?.map((line) => `{${line}}`).join(',') ?? ''}]`;
    }
    return `${text}}\n`;
  },
};

/**
 * RFC 4180, with the names of the columns in the first line. The first row of a document holds the document and the first
 * line of each list, each further row another line of each. Nothing between two commas is null.
 */
export const csvForm: DocumentForm = {
  isJson: false,
  textOf: { ...plainText, String: (cell) => csvText(String(cell)) },
  nothing: '',
  before: (_name, place) => (place === 0 ? '' : ','),
  head: ({ own, lists }) =>
    `${[...own.names, ...lists.flatMap(({ field, text }) => text.names.map((name) => `${field}.${name}`))].join(',')}\r\n`,
  document({ own: { names }, lists: known }, own, lists) {
    const empty = ','.repeat(names.length - 1);
    const rows = Math.max(1, ...lists.map((lines) => lines.length));
    let text = '';
    for (let row = 0; row < rows; row++) {
      text += row === 0 ? own : empty;
      for (const [place, list] of known.entries()) {
        text += `,${lists[place]?.[row] ?? ','.repeat(list.text.names.length - 1)}`;
      }
      text += '\r\n';
    }
    return text;
  },
};

function csvText(text: string): string {
  const shown = isOnlyQuotes(text) ? `""${text}` : text;
  return /[",\r\n\s]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/**
 * Programs that save CSV again write null and an empty text alike. So an empty text is written as two quotes, and a text of
 * two or more quotes with two more; `textIn` takes them away.
 */
const isOnlyQuotes = (text: string): boolean => text === '' || /^"{2,}$/.test(text);

/** The text that `csvForm` has written as this value of a cell. */
export const textIn = (value: string): string => (/^"{2,}$/.test(value) ? value.slice(2) : value);

/** Writes rows as text, in the order of the columns that are read for it. */
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
  form: DocumentForm,
): RecordText {
  const members: Member[] = [
    { name: 'id', sql: '"id"', type: 'String' },
    { name: 'version', sql: '"version"', type: 'Int' },
  ];
  if (resource.timestamps) {
    for (const name of ['createdAt', 'updatedAt']) {
      members.push({ name, sql: instantSql(provider, name), type: 'String' });
    }
    for (const name of authorColumns) members.push({ name, sql: `"${name}"`, type: 'String' });
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

function writtenHere(members: readonly Member[], form: DocumentForm): Omit<RecordText, 'names'> {
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
function writtenBySqlite(members: readonly Member[]): Omit<RecordText, 'names'> {
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
