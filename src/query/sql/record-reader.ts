/**
 * Makes the JSON of a record from what `recordObject` selects: on PostgreSQL it adds the keys to the array of the values,
 * on SQLite it corrects the numbers.
 */
import type { FieldNode, GraphQLObjectType } from 'graphql';
import { type Bytes, bytesIn } from '../../common/bytes.js';
import type { Resource } from '../../model/resource.js';
import { type Described, describedFields, objectIn, recordTypeIn } from '../compiled/described-fields.js';
import { JsonScanner } from './json-scanner.js';
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
