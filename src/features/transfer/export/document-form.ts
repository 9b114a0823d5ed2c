/** How documents are written: as lines of JSON, or as rows of CSV. */
import type { RecordText, ValueForm } from './record-text.js';

export interface DocumentForm extends ValueForm {
  /** What stands before the documents of a type. */
  head(parts: DocumentParts): string;
  /** A document of these parts, of which `own` and `lists` hold the texts; ends with a line end. */
  document(parts: DocumentParts, own: string, lists: readonly (readonly string[])[]): string;
}

/** The fields of a type of documents, and of its lists of lines. */
export interface DocumentParts {
  type: string;
  own: RecordText;
  lists: readonly { field: string; text: RecordText }[];
}

/** Numbers and booleans as JSON has them; drivers return them in several forms. */
export const plainText = {
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
