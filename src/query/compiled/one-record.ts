/** A record by its id. */
import type { GraphQLObjectType } from 'graphql';
import type { Bytes } from '../../common/bytes.js';
import { whenResolved } from '../../common/maybe-promise.js';
import { isStorableText } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';
import { recordObject } from '../sql/record-object.js';
import { type RecordReader, recordReader } from '../sql/record-reader.js';
import {
  type BoundValue,
  type CompileContext,
  type CompiledRootField,
  type Rows,
  type SqlBuilder,
  statement,
} from '../sql/statement.js';
import { argumentsOf } from './arguments.js';
import { type Described, recordTypeIn } from './described-fields.js';
import type { FromVariables } from './variables.js';

/** The object type of a field that returns a record or null. @throws NotCompilable */
export const typeOfOne = ({ definition }: Described, resource: Resource): GraphQLObjectType =>
  recordTypeIn(definition.type, resource, 'one or null');

export function oneRecord(
  compiling: CompileContext,
  type: GraphQLObjectType,
  resource: Resource,
  { nodes }: Described,
  id: BoundValue,
): CompiledRootField {
  const write = (writing: SqlBuilder) => {
    const row = writing.table();
    const text = writing.dialect.text(recordObject(writing, { type, nodes }, row, 'one'));
    return `SELECT ${text} FROM "${resource.model}" AS ${row} WHERE ${row}."id" = ${writing.bind(id)}`;
  };
  const find = statement(compiling, write, () => 'bounded');
  const json = bytesOnce(recordReader(compiling, { type, nodes }));
  const textOf = (rows: Rows): Bytes => {
    if (rows[0]) return json(rows[0]);
    if (resource.kind === 'singleton') throw new Error(`${resource.model}: its record is missing`);
    return 'null';
  };
  return (variables) => {
    const ask = find(variables);
    return ask && ((read) => whenResolved(ask(read), textOf));
  };
}

/** The texts of rows that several fields of an operation share; a copy for each would take as long as the read. */
const texts = new WeakMap<Rows[number], Bytes>();

const bytesOnce =
  (read: RecordReader) =>
  (row: Rows[number]): Bytes => {
    const known = texts.get(row);
    if (known !== undefined) return known;
    const text = read(row[0]);
    if (text.length > worthSharing) texts.set(row, text);
    return text;
  };

/** Bytes of a text that takes longer to copy than to look up. */
const worthSharing = 4096;

/** The argument `id`. */
export function askedId(field: Described): FromVariables<string> {
  const { id } = argumentsOf(field, ['id']);
  return (variables) => {
    const value = id?.(variables);
    return typeof value === 'string' && isStorableText(value) ? value : undefined;
  };
}
