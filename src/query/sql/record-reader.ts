/**
 * Makes the JSON of a record from what `recordObject` selects: on PostgreSQL it adds the keys to the array of the values,
 * on SQLite it corrects the numbers.
 */
import type { FieldNode, GraphQLObjectType } from 'graphql';
import { type Bytes, bytesIn } from '../../common/bytes.js';
import type { Resource } from '../../model/resource.js';
import { type Described, describedFields, objectIn, recordTypeIn } from '../compiled/described-fields.js';
import { withPlainNumbers } from './plain-numbers.js';
import { mostArguments } from './postgresql-record-form.js';
import { isUnquoted } from './record-form.js';
import { oneBelow, type RecordSelection } from './records-below.js';
import type { CompileContext } from './statement.js';

/** Returns the JSON of a record. */
export type RecordReader = (cell: unknown) => Bytes;

/** @throws NotCompilable */
export function recordReader(compiling: CompileContext, selection: RecordSelection): RecordReader {
  if (!compiling.dialect.lacksKeys) return (cell) => withPlainNumbers(bytesIn(cell));
  const write = recordWriter(compiling, selection);
  return (cell) => {
    const bytes = bytesIn(cell);
    // Complete records are objects.
    return bytes.startsWith('[') ? write(new JsonScanner(bytes)) : bytes;
  };
}

/** Writes the value that comes next as JSON of the answer. */
type WriteJson = (values: JsonScanner) => Bytes;

const recordWriter = (compiling: CompileContext, { type, nodes }: RecordSelection): WriteJson =>
  objectWriter(compiling, type, nodes, (field) => memberWriter(compiling, field));

/** An object whose fields are written by `writerOf`. */
function objectWriter(
  compiling: CompileContext,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  writerOf: (field: Described) => WriteJson,
): WriteJson {
  const sets = nodes.map(({ selectionSet }) => selectionSet);
  const members = describedFields(type, sets, compiling).map((field, index) => ({
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

function memberWriter(compiling: CompileContext, field: Described): WriteJson {
  const { answer, definition, nodes } = field;
  const one = oneBelow(field);
  if (one) return recordWriter(compiling, one);
  if (answer.kind === 'lines') {
    const type = recordTypeIn(definition.type, answer.lines.resource, 'list');
    return listWriter(recordWriter(compiling, { type, nodes }));
  }
  if (answer.kind === 'related') {
    const { resource } = answer.list;
    return objectWriter(compiling, objectIn(definition.type, 'one'), nodes, (part) =>
      pagePartWriter(compiling, resource, part),
    );
  }
  if (answer.kind === 'column' && answer.type === 'DateTime') return (values) => instantJson(values.value());
  if (answer.kind === 'column' && answer.type === 'Float') return (values) => numberJson(values.unquoted());
  if (answer.kind === 'column' && isUnquoted(answer.type)) return (values) => values.unquoted();
  return (values) => values.value();
}

/** A field of a connection within a record. */
function pagePartWriter(compiling: CompileContext, resource: Resource, field: Described): WriteJson {
  const { answer, definition, nodes } = field;
  const records = (form: 'one' | 'list', { definition: { type }, nodes: selecting }: Described) =>
    recordWriter(compiling, { type: recordTypeIn(type, resource, form), nodes: selecting });
  if (answer.kind !== 'page' || answer.part === 'totalCount') return (values) => values.value();
  if (answer.part === 'nodes') return listWriter(records('list', field));
  if (answer.part === 'pageInfo') {
    return objectWriter(compiling, objectIn(definition.type, 'one'), nodes, () => (values) => values.value());
  }
  return listWriter(
    objectWriter(compiling, objectIn(definition.type, 'list'), nodes, (part) =>
      part.answer.kind === 'edge' && part.answer.part === 'node' ? records('one', part) : (values) => values.value(),
    ),
  );
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
