/** Records by their ids: one, or many of any types by one statement for each type among them. */
import type { Bytes } from '../../common/bytes.js';
import { oncePer } from '../../common/kept.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import type { AskedIn, AskedRecord } from '../../model/asked-record.js';
import { isStorableText } from '../../model/field.js';
import { pastIdIn } from '../../model/ids.js';
import { type Resource, resourceById } from '../../model/resource.js';
import { type FromVariables, readArguments, type Selection } from '../../model/selection.js';
import { frameBytes, recordObject } from '../sql/record-object.js';
import { type RecordReader, recordReader } from '../sql/record-reader.js';
import { AnswerRoom, rowCounted } from '../sql/sizes.js';
import {
  type BoundValue,
  type CompileContext,
  type CompiledRootField,
  ifCompilable,
  type Rows,
  type RunQuery,
  runInOrder,
  type SqlBuilder,
  statement,
} from '../sql/statement.js';

export function oneRecord(
  compiling: CompileContext,
  resource: Resource,
  record: Selection,
  id: BoundValue,
): CompiledRootField {
  const write = (writing: SqlBuilder) => {
    const row = writing.table();
    const text = writing.dialect.text(recordObject(writing, record, row, 'one'));
    return `SELECT ${text} FROM "${resource.model}" AS ${row} WHERE ${row}."id" = ${writing.bind(id)}`;
  };
  const find = statement(compiling, write, () => 'bounded');
  const json = bytesOnce(recordReader(compiling, record));
  const textOf = (rows: Rows): Bytes => (rows[0] ? json(rows[0]) : 'null');
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

export function askedId(field: Selection): FromVariables<string> {
  const id = field.argument('id');
  return (variables) => {
    const value = id(variables);
    return typeof value === 'string' && isStorableText(value) ? value : undefined;
  };
}

/** Ids looked up in this process on SQLite: as many as half a millisecond allows. */
const mostAtOnce = 100;

export function nodesField(
  compiling: CompileContext,
  field: Selection,
  resources: readonly Resource[],
  askedIn: AskedIn,
): CompiledRootField {
  // The types are not known in advance, so a caller who may not read all types is answered by the resolvers.
  for (const resource of resources) compiling.resources.add(resource);
  const records = readArguments(field, askedIn);
  const compiledFor = oncePer((resource: Resource) => ifCompilable(() => compile(compiling, resource, field, records)));

  return (variables) => {
    const asked = records(variables);
    if (!asked) return undefined;
    const asks: ((read: RunQuery, found: FoundTexts) => MaybePromise<void>)[] = [];
    for (const resource of new Set(asked.flatMap((each) => each.resource ?? []))) {
      const find = compiledFor(resource);
      const ask = find?.statement(variables);
      if (!find || !ask) return undefined;
      const { reader } = find;
      asks.push((read, found) => whenResolved(ask(read), (rows) => found.add(resource, rows, reader)));
    }
    return (read) => {
      const found = new FoundTexts(compiling.answerLimit);
      return whenResolved(runInOrder(asks.map((ask) => () => ask(read, found))), () => found.list(asked));
    };
  };
}

/** How the records of one type are read. */
function compile(
  compiling: CompileContext,
  resource: Resource,
  field: Selection,
  records: FromVariables<readonly AskedRecord[]>,
) {
  const write = (record: Selection) => (writing: SqlBuilder) => {
    const row = writing.table();
    const { text, madeOnce, among } = writing.dialect;
    const object = recordObject(writing, record, row, 'many');
    const asked = writing.bind((variables) => idsAsked(records(variables) ?? [])(resource));
    const made = madeOnce(
      `SELECT ${row}."id", ${object} AS item FROM "${resource.model}" AS ${row} WHERE ${row}."id" ${among(asked)}`,
    );
    return `SELECT "id", ${text('item')} FROM ${made} AS made WHERE ${rowCounted(writing, ['item'], frameBytes(writing, record, 'many'))}`;
  };
  const record = field.on(resource, 'list of nulls');
  return {
    statement: statement(compiling, write(record), (variables) =>
      (records(variables)?.length ?? 0) <= mostAtOnce ? 'bounded' : 'unbounded',
    ),
    reader: recordReader(compiling, record),
  };
}

/** The JSON of records of several types, up to the limit of the answer. */
class FoundTexts {
  readonly #texts = new Map<Resource, ReadonlyMap<string, string>>();
  readonly #room: AnswerRoom;

  constructor(private readonly limit: number) {
    this.#room = new AnswerRoom(limit);
  }

  /** Takes the rows of a type, each an id and a record. @throws `answer_too_large` */
  add(resource: Resource, rows: Rows, read: RecordReader): void {
    const texts = new Map<string, string>();
    for (const [id, item] of rows) {
      const text = read(item);
      this.#room.take(text.length);
      texts.set(String(id), text);
    }
    this.#texts.set(resource, texts);
  }

  /** The records in the order in which they are asked for; null for a missing one. @throws `answer_too_large` */
  list(asked: readonly AskedRecord[]): string {
    const found = asked.map(({ resource, id }) => resource && this.#texts.get(resource)?.get(id));
    // Each record has been counted once, but the answer may repeat it.
    new AnswerRoom(this.limit).take(found.reduce((bytes, text) => bytes + (text?.length ?? 0), 0));
    return `[${found.map((text) => text ?? 'null').join()}]`;
  }
}

/**
 * `node`: a record of any type. The id determines the type, so the field is compiled for each type when it is first
 * asked for.
 */
export function nodeField(
  compiling: CompileContext,
  field: Selection,
  resources: readonly Resource[],
): CompiledRootField {
  const resourceOfId = resourceById(resources);
  // The type is not known in advance, so a caller who may not read all types is answered by the resolvers.
  for (const resource of resources) compiling.resources.add(resource);
  const id = askedId(field);
  const recordOf = oncePer((resource: Resource) =>
    ifCompilable(() => oneRecord(compiling, resource, field.on(resource, 'one or null'), id)),
  );
  return (variables) => {
    const value = id(variables);
    if (value === undefined || pastIdIn(value)) return undefined;
    const resource = resourceOfId(value);
    return resource ? recordOf(resource)?.(variables) : () => 'null';
  };
}

/** The ids of a type as JSON, once for all fields that ask for the same. */
export const idsAsked = oncePer((asked: readonly AskedRecord[]) =>
  oncePer((type: Resource) => JSON.stringify(asked.flatMap(({ resource, id }) => (resource === type ? id : [])))),
);
