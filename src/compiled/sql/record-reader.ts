/**
 * Makes the JSON of a record from what `recordObject` selects: on PostgreSQL it adds the keys to the array of the values,
 * on SQLite it corrects the numbers.
 */
import { type Bytes, bytesIn } from '../../bytes.js';
import { type Described, describedFields, recordTypeIn } from '../described-fields.js';
import { mostArguments } from './dialect.js';
import { JsonScanner } from './json-scanner.js';
import { withPlainNumbers } from './plain-numbers.js';
import type { RecordSelection } from './records-below.js';
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

function recordWriter(compiling: CompileContext, { type, nodes }: RecordSelection): WriteJson {
  const sets = nodes.map(({ selectionSet }) => selectionSet);
  const members = describedFields(type, sets, compiling).map((field, index) => ({
    start: `${index === 0 ? '' : ','}"${field.key}":`,
    write: memberWriter(compiling, field),
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

function memberWriter(compiling: CompileContext, { answer, definition, nodes }: Described): WriteJson {
  if (answer.kind === 'parent') {
    const { resource, link } = answer.parent;
    return recordWriter(compiling, {
      type: recordTypeIn(definition.type, resource, link ? 'one or null' : 'one'),
      nodes,
    });
  }
  if (answer.kind === 'lines') {
    const write = recordWriter(compiling, {
      type: recordTypeIn(definition.type, answer.lines.resource, 'list'),
      nodes,
    });
    return (values) => {
      values.enter();
      const lines: Bytes[] = [];
      while (values.hasNext()) lines.push(write(values));
      values.leave();
      return `[${lines.join()}]`;
    };
  }
  if (answer.kind === 'column' && answer.type === 'DateTime') return (values) => instantJson(values.value());
  if (answer.kind === 'column' && answer.type === 'Float') return (values) => numberJson(values.value());
  return (values) => values.value();
}

/** PostgreSQL writes an instant without zone and without trailing zeros. */
function instantJson(value: string): string {
  if (!value.startsWith('"')) return value;
  const [seconds = '', fraction = ''] = value.slice(1, -1).split('.');
  return `"${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z"`;
}

/** PostgreSQL writes numbers as JavaScript does, except -0 and those with an exponent. */
function numberJson(value: string): string {
  return value.includes('e') || value === '-0' ? String(Number(value)) : value;
}
