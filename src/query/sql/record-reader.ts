/**
 * Makes the JSON of a record from what `recordObject` selects: on PostgreSQL it adds the keys to the array of the values,
 * on SQLite it corrects the numbers.
 */
import { type Bytes, bytesOf } from '../../common/bytes.js';
import type { Selection } from '../../model/selection.js';
import { isUnquoted, mostArguments, numberMark } from './record-form.js';
import type { CompileContext } from './statement.js';

export type RecordReader = (cell: unknown) => Bytes;

/** @throws NotCompilable */
export function recordReader({ dialect }: CompileContext, record: Selection): RecordReader {
  if (!dialect.lacksKeys) return (cell) => withPlainNumbers(bytesIn(cell));
  const write = recordWriter(record);
  return (cell) => {
    const bytes = bytesIn(cell);
    // Complete records are objects.
    return bytes.startsWith('[') ? write(new JsonScanner(bytes)) : bytes;
  };
}

/** The bytes of a text that a database returned either as a buffer or as a string. */
const bytesIn = (value: unknown): Bytes => (Buffer.isBuffer(value) ? value.toString('latin1') : bytesOf(String(value)));

/** Writes the value that comes next as JSON of the answer. */
type WriteJson = (values: JsonScanner) => Bytes;

const asItIs: WriteJson = (values) => values.value();

const recordWriter = (record: Selection): WriteJson => objectWriter(record, memberWriter);

/**
 * Makes the writer of a JSON object whose fields are written by those that `part` makes; the name of a type is known. `Around` is
 * what they need besides the value.
 */
export function jsonObject<Value, Around = void>(
  { fields }: Selection,
  part: (field: Selection) => (value: Value, around: Around) => Bytes,
): (value: Value, around: Around) => Bytes {
  const parts = fields.map((field, place): [start: string, write: (value: Value, around: Around) => Bytes] => {
    const { key, answer } = field;
    const typename = answer.kind === 'typename' ? JSON.stringify(answer.type) : undefined;
    return [`${place === 0 ? '' : ','}"${key}":`, typename === undefined ? part(field) : () => typename];
  });
  return (value, around) => {
    let text = '';
    for (const [start, write] of parts) text += start + write(value, around);
    return `{${text}}`;
  };
}

function objectWriter({ fields }: Selection, writerOf: (field: Selection) => WriteJson): WriteJson {
  const members = fields.map((field, index) => ({
    start: `${index === 0 ? '' : ','}"${field.key}":`,
    write: writerOf(field),
    // More values than a function takes are in arrays of their own.
    beginsArray: index % mostArguments === 0,
  }));
  const isDivided = members.length > mostArguments;
  return (values) => {
    if (!values.enter()) return 'null';
    let text = '';
    for (const { start, write, beginsArray } of members) {
      if (isDivided && beginsArray) {
        if (text !== '') values.leave();
        values.hasNext();
        values.enter();
      }
      values.hasNext();
      text += start + write(values);
    }
    if (isDivided) values.leave();
    values.leave();
    return `{${text}}`;
  };
}

function memberWriter(field: Selection): WriteJson {
  const { answer } = field;
  switch (answer.kind) {
    case 'parent':
    case 'link':
      return recordWriter(field);
    case 'lines':
      return listWriter(recordWriter(field));
    case 'related':
      return objectWriter(field, pagePartWriter);
    case 'column':
      if (answer.type === 'DateTime') return (values) => instantJson(values.value());
      if (answer.type === 'Float') return (values) => numberJson(values.unquoted());
      return isUnquoted(answer.type) ? (values) => values.unquoted() : asItIs;
    default:
      return asItIs;
  }
}

/** A field of a connection within a record. */
function pagePartWriter(field: Selection): WriteJson {
  const { answer } = field;
  if (answer.kind !== 'page' || answer.part === 'totalCount') return asItIs;
  if (answer.part === 'nodes') return listWriter(recordWriter(field));
  if (answer.part === 'pageInfo') return objectWriter(field, () => asItIs);
  return listWriter(objectWriter(field, (part) => (part.name === 'node' ? recordWriter(part) : asItIs)));
}

function listWriter(write: WriteJson): WriteJson {
  return (values) => {
    values.enter();
    const items: Bytes[] = [];
    while (values.hasNext()) items.push(write(values));
    values.leave();
    return `[${items.join()}]`;
  };
}

/** PostgreSQL writes an instant without zone and without trailing zeros, and as a text with a space in place of the T. */
function instantJson(value: string): string {
  if (!value.startsWith('"')) return value;
  const [seconds = '', fraction = ''] = value.slice(1, -1).replace(' ', 'T').split('.');
  return `"${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z"`;
}

/** PostgreSQL writes numbers as JavaScript does, except -0 and those with an exponent. */
function numberJson(value: string): string {
  return value.includes('e') || value === '-0' ? String(Number(value)) : value;
}

/**
 * Reads JSON arrays as PostgreSQL writes them, value by value, without converting anything: parsing them and writing
 * them again would take five times as long. The text may be bytes (`bytes.ts`), because all of JSON's own characters are
 * ASCII.
 */
export class JsonScanner {
  #at = 0;

  constructor(private readonly text: string) {}

  /** Enters the array that comes next; returns false if there is null instead. */
  enter(): boolean {
    const isArray = this.text.charCodeAt(this.#at) === OPENING;
    this.#at += isArray ? 1 : 'null'.length;
    return isArray;
  }

  /** Leaves an array whose values have all been read. */
  leave(): void {
    this.#at++;
  }

  /** Passes the comma before a further value; returns false at the end of the array. */
  hasNext(): boolean {
    if (this.text.charCodeAt(this.#at) !== COMMA) return this.text.charCodeAt(this.#at) !== CLOSING;
    // json_build_array writes a space, array_to_json does not.
    this.#at += this.text.charCodeAt(this.#at + 1) === SPACE ? 2 : 1;
    return true;
  }

  /** The text of the value that comes next: a string, a number, true, false, null, or an array of such strings. */
  value(): string {
    const { text } = this;
    const start = this.#at;
    const first = text.charCodeAt(start);
    if (first === NULL) {
      this.#at += 'null'.length;
      return 'null';
    }
    if (first === QUOTE) this.#at = endOfString(text, start);
    else if (first === OPENING) this.#at = text.indexOf(']', start) + 1;
    else {
      const comma = text.indexOf(',', start);
      const end = text.indexOf(']', start);
      this.#at = comma >= 0 && comma < end ? comma : end;
    }
    return text.slice(start, this.#at);
  }

  /** The same for a number, true or false, which may be in quotes. */
  unquoted(): string {
    const { text } = this;
    const start = this.#at;
    if (text.charCodeAt(start) !== QUOTE) return this.value();
    const end = text.indexOf('"', start + 1);
    this.#at = end + 1;
    return text.slice(start + 1, end);
  }
}

/** The position after the closing quote: one that an even number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

const [QUOTE, COMMA, SPACE, OPENING, CLOSING, BACKSLASH, NULL] = [34, 44, 32, 91, 93, 92, 110];

const markedKeyEnd = `${numberMark}":`;

/** A JSON text of SQLite with its numbers as JSON.stringify writes them, and without the marks. */
export function withPlainNumbers(text: Bytes): Bytes {
  let at = text.indexOf(markedKeyEnd);
  if (at < 0) return text;
  let plain = '';
  let from = 0;
  for (; at >= 0; at = text.indexOf(markedKeyEnd, from)) {
    plain += text.slice(from, at);
    from = at + numberMark.length;
    const start = at + markedKeyEnd.length;
    const { end, isPlain } = numberAt(text, start);
    if (isPlain) continue;
    const isWhole = text.startsWith('.0', end - 2) && end - start <= longestExact;
    plain += isWhole ? text.slice(from, end - 2) : `":${Number(text.slice(start, end))}`;
    from = end;
  }
  return plain + text.slice(from);
}

/** Up to this many characters, a number has at most 15 digits, which SQLite writes as JSON.stringify does. */
const longestExact = 16;

/** Where the number, or null, that begins at `start` ends, and whether it is written as JSON.stringify does. */
function numberAt(text: string, start: number): { end: number; isPlain: boolean } {
  let end = start;
  let hasExponent = false;
  for (let code = text.charCodeAt(end); code !== COMMA && code !== END; code = text.charCodeAt(++end)) {
    if (code === EXPONENT) hasExponent = true;
  }
  return { end, isPlain: !hasExponent && end - start <= longestExact && !text.startsWith('.0', end - 2) };
}

const [END, EXPONENT] = [125, 101];
