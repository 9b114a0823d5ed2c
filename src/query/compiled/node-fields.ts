/** Many records of any type, by one statement for each type among them. */
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { isNamedByRecords, recordOf } from '../../graphql/answered-by-sql.js';
import { errors } from '../../model/errors/errors.js';
import { pastIdIn } from '../../model/ids.js';
import { type Resource, resourceById } from '../../model/resource.js';
import type { AskedIn, AskedRecord } from '../asked-record.js';
import { frameBytes, recordObject } from '../sql/record-object.js';
import { type RecordReader, recordReader } from '../sql/record-reader.js';
import type { RecordSelection } from '../sql/records-below.js';
import { rowCounted } from '../sql/size-conditions.js';
import {
  type CompileContext,
  type CompiledRootField,
  type Rows,
  type RunQuery,
  type SqlBuilder,
  type StatementTemplate,
  statement,
} from '../sql/statement.js';
import { argumentValuesOf } from './arguments.js';
import type { Described } from './described-fields.js';
import { askedId, oneRecord } from './one-record.js';
import { runInOrder } from './prepared-fields.js';
import { NotCompilable } from './selection.js';
import type { FromVariables } from './variables.js';

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
): CompiledRootField {
  const [node] = field.nodes;
  if (!node || !isListOfNullable(field.definition.type)) throw new NotCompilable();
  // The types are not known in advance, so a caller who may not read all types is answered by the resolvers.
  for (const resource of resources) compiling.resources.add(resource);
  const records = argumentValuesOf(compiling, field.definition, node, askedIn);
  const compiled = new Map<Resource, OneType | 'not compilable'>();

  return (variables) => {
    const asked = records(variables);
    if (!asked) return undefined;
    const asks: ((read: RunQuery, found: FoundTexts) => MaybePromise<void>)[] = [];
    for (const resource of new Set(asked.flatMap((each) => each.resource ?? []))) {
      const find = compiled.get(resource) ?? compile(compiling, resource, field, records);
      compiled.set(resource, find);
      if (find === 'not compilable') return undefined;
      const { reader } = find;
      const ask = find.statement(variables);
      if (!ask) return undefined;
      asks.push((read, found) => whenResolved(ask(read), (rows) => found.add(resource, rows, reader)));
    }
    return (read) => {
      const found = new FoundTexts(compiling.answerLimit);
      return whenResolved(runInOrder(asks.map((ask) => () => ask(read, found))), () => found.list(asked));
    };
  };
}

/** Items must be nullable, because a missing record is null. */
function isListOfNullable(type: GraphQLOutputType): boolean {
  const list = getNullableType(type);
  return isListType(list) && !isNonNullType(list.ofType);
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
    const asked = writing.bind((variables) => idsAsked(records(variables) ?? [], resource));
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

/** The JSON of records of several types, up to the limit of the answer. */
class FoundTexts {
  readonly #texts = new Map<Resource, ReadonlyMap<string, string>>();
  #left: number;

  constructor(private readonly limit: number) {
    this.#left = limit;
  }

  /** Takes the rows of a type, each an id and a record. @throws `answer_too_large` once all together exceed the limit */
  add(resource: Resource, rows: Rows, read: RecordReader): void {
    const texts = new Map<string, string>();
    for (const [id, item] of rows) {
      const text = read(item);
      this.#left -= text.length;
      texts.set(String(id), text);
    }
    if (this.#left < 0) throw errors.answerTooLarge(this.limit);
    this.#texts.set(resource, texts);
  }

  /** The records in the order in which they are asked for; null for a missing one. @throws `answer_too_large` */
  list(asked: readonly AskedRecord[]): string {
    const found = asked.map(({ resource, id }) => resource && this.#texts.get(resource)?.get(id));
    // Each record has been counted once, but the answer may repeat it.
    const size = found.reduce((bytes, text) => bytes + (text?.length ?? 0), 0);
    if (size > this.limit) throw errors.answerTooLarge(this.limit);
    return `[${found.map((text) => text ?? 'null').join()}]`;
  }
}

/**
 * `node`: a record of any type. The id determines the type, so the field is compiled for each type when it is first
 * asked for.
 */
export function nodeField(
  compiling: CompileContext,
  field: Described,
  resources: readonly Resource[],
): CompiledRootField {
  const resourceOfId = resourceById(resources);
  // The type is not known in advance, so a caller who may not read all types is answered by the resolvers.
  for (const resource of resources) compiling.resources.add(resource);
  if (isNonNullType(field.definition.type)) throw new NotCompilable();
  const id = askedId(field);
  const compiled = new Map<Resource, CompiledRootField>();
  return (variables) => {
    const value = id(variables);
    if (value === undefined) return undefined;
    if (pastIdIn(value)) return undefined;
    const resource = resourceOfId(value);
    if (!resource) return () => 'null';
    const find =
      compiled.get(resource) ??
      orResolvers(() =>
        oneRecord(compiling, typeAmong(compiling, field.definition.type, resource), resource, field, id),
      );
    compiled.set(resource, find);
    return find(variables);
  };
}

/** The object type of a resource's records within an interface or union. @throws NotCompilable */
function typeAmong(
  { schema }: Pick<CompileContext, 'schema'>,
  output: GraphQLOutputType,
  resource: Resource,
): GraphQLObjectType {
  const several = getNullableType(output);
  const one = getNullableType(isListType(several) ? several.ofType : several);
  const type = schema.getType(resource.model);
  if (!isAbstractType(one) || !isNamedByRecords(one) || !isObjectType(type)) throw new NotCompilable();
  if (recordOf(type) !== resource || !schema.isSubType(one, type)) throw new NotCompilable();
  return type;
}

function orResolvers(compile: () => CompiledRootField): CompiledRootField {
  try {
    return compile();
  } catch (error) {
    if (error instanceof NotCompilable) return () => undefined;
    throw error;
  }
}

/** The ids of a type as JSON, once for all fields that ask for the same. */
export function idsAsked(asked: readonly AskedRecord[], type: Resource): string {
  const texts = idsBy.get(asked) ?? new Map<Resource, string>();
  idsBy.set(asked, texts);
  const text = texts.get(type) ?? JSON.stringify(asked.flatMap(({ resource, id }) => (resource === type ? id : [])));
  texts.set(type, text);
  return text;
}

const idsBy = new WeakMap<readonly AskedRecord[], Map<Resource, string>>();
