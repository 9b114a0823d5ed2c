/** `nodes` and `_entities`: many records of any type, by one statement for each type among them. */

import { type GraphQLOutputType, getNullableType, isListType, isNonNullType } from 'graphql';
import { errors } from '../../errors.js';
import type { MaybePromise } from '../../maybe-promise.js';
import { whenResolved } from '../../maybe-promise.js';
import type { Resource } from '../../model/resource.js';
import type { AskedRecord } from '../../schema/fields/find-node.js';
import { argumentValuesOf } from '../argument-values.js';
import type { Described } from '../described-fields.js';
import { NotCompilable } from '../selection.js';
import { frameBytes, recordObject } from '../sql/record-object.js';
import { type RecordReader, recordReader } from '../sql/record-reader.js';
import type { RecordSelection } from '../sql/records-below.js';
import { rowCounted } from '../sql/size-conditions.js';
import type { RunQuery } from '../sql/statement.js';
import {
  type CompileContext,
  type RootField,
  type Rows,
  type SqlBuilder,
  type StatementTemplate,
  statement,
} from '../sql/statement.js';
import type { FromVariables } from '../variables.js';
import type { AskedIn } from './asked-records.js';
import { typeAmong } from './node-field.js';

/** Ids looked up in this process on SQLite: as many as half a millisecond allows. */
const mostAtOnce = 100;

/** How the records of one type are read. */
interface OneType {
  statement: StatementTemplate;
  reader: RecordReader;
}

export function nodesField(
  compiling: CompileContext,
  field: Described,
  resources: readonly Resource[],
  askedIn: AskedIn,
): RootField {
  const [node] = field.nodes;
  if (!node || !isListOfNullable(field.definition.type)) throw new NotCompilable();
  // The types are not known in advance, so a caller who may not read all types is answered by the resolvers.
  for (const resource of resources) compiling.resources.add(resource);
  const records = argumentValuesOf(compiling, field.definition, node, askedIn);
  const compiled = new Map<Resource, OneType | 'not compilable'>();

  return (variables) => {
    const asked = records(variables);
    if (!asked) return undefined;
    const asks: ((read: RunQuery) => MaybePromise<Rows>)[] = [];
    const readers = new Map<Resource, RecordReader>();
    for (const resource of new Set(asked.flatMap((each) => each.resource ?? []))) {
      const find = compiled.get(resource) ?? compile(compiling, resource, field, records);
      compiled.set(resource, find);
      if (find === 'not compilable') return undefined;
      const ask = find.statement(variables);
      if (!ask) return undefined;
      asks.push(ask);
      readers.set(resource, find.reader);
    }
    return (read) => {
      const found = asks.map((ask) => ask(read));
      return whenResolved(found.every(isThere) ? found : Promise.all(found), (tables) =>
        answer(asked, tables, readers, compiling.answerLimit),
      );
    };
  };
}

/** Items must be nullable, because a missing record is null. */
function isListOfNullable(type: GraphQLOutputType): boolean {
  const list = getNullableType(type);
  return isListType(list) && !isNonNullType(list.ofType);
}

const isThere = (rows: MaybePromise<Rows>): rows is Rows => !(rows instanceof Promise);

/** The records in the order in which they are asked for; null for a missing one. `tables` and `readers` are in one order. */
function answer(
  asked: readonly AskedRecord[],
  tables: readonly Rows[],
  readers: ReadonlyMap<Resource, RecordReader>,
  limit: number,
): string {
  const texts = new Map<Resource, Map<string, string>>();
  for (const [index, [resource, read]] of [...readers].entries()) {
    texts.set(resource, new Map(tables[index]?.map(([id, item]) => [String(id), read(item)])));
  }
  const found = asked.map(({ resource, id }) => resource && texts.get(resource)?.get(id));
  // The database counts each record once, but the answer may repeat it.
  const size = found.reduce((bytes, text) => bytes + (text?.length ?? 0), 0);
  if (size > limit) throw errors.answerTooLarge(limit);
  return `[${found.map((text) => text ?? 'null').join()}]`;
}

function compile(
  compiling: CompileContext,
  resource: Resource,
  { definition, nodes }: Described,
  records: FromVariables<readonly AskedRecord[]>,
): OneType | 'not compilable' {
  const write = (selection: RecordSelection) => (writing: SqlBuilder) => {
    const row = writing.table();
    const { text, madeOnce, among } = writing.dialect;
    const object = recordObject(writing, selection, row, 'many');
    const asked = writing.bind((variables) =>
      JSON.stringify(records(variables)?.flatMap((each) => (each.resource === resource ? each.id : []))),
    );
    const made = madeOnce(
      `SELECT ${row}."id", ${object} AS item FROM "${resource.model}" AS ${row} WHERE ${row}."id" ${among(asked)}`,
    );
    return `SELECT "id", ${text('item')} FROM ${made} AS made WHERE ${rowCounted(writing, ['item'], frameBytes(writing, selection, 'many'))}`;
  };
  try {
    const selection = { type: typeAmong(compiling, definition.type, resource), nodes };
    return {
      statement: statement(compiling, write(selection), (variables) =>
        (records(variables)?.length ?? 0) <= mostAtOnce ? 'bounded' : 'unbounded',
      ),
      reader: recordReader(compiling, selection),
    };
  } catch (error) {
    if (error instanceof NotCompilable) return 'not compilable';
    throw error;
  }
}
