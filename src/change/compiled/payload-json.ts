/** The JSON of what mutations answer apart from records: what was deleted, what a save has changed, what is wrong. */
import { type GraphQLObjectType, type GraphQLOutputType, getNamedType, isLeafType } from 'graphql';
import { type Bytes, bytesOf } from '../../common/bytes.js';
import type { UserError } from '../../graphql/shown-errors/user-errors.js';
import type { Resource } from '../../model/resource.js';
import type { ArgumentValues } from '../../query/compiled/arguments.js';
import { type Described, describedFields, objectIn, recordTypeIn } from '../../query/compiled/described-fields.js';
import { NotCompilable } from '../../query/compiled/selection.js';
import type { RecordSelection } from '../../query/sql/records-below.js';
import type { CompileContext } from '../../query/sql/statement.js';
import type { Identity } from '../context.js';
import type { WriteProcedure } from '../perform.js';
import type { LineChanges } from '../writes/line-plan.js';
import type { SaveChanges } from '../writes/save.js';

/** Writes a value as JSON. */
type WriteJson<Value> = (value: Value) => Bytes;

/** The parts of an answer that are known; all others are null. */
interface PayloadParts {
  /** Of one record, or the list of many. */
  record?: Bytes | undefined;
  changes?: SaveChanges | undefined;
  deletedIds?: readonly string[];
  userErrors?: readonly UserError[];
}

export interface PayloadJson {
  /** What is selected of the record; undefined if nothing is. */
  record: RecordSelection | undefined;
  text: WriteJson<PayloadParts>;
  /** The answer in place of an error; undefined if `userErrors` is not selected. */
  refused: WriteJson<readonly UserError[]> | undefined;
}

/** The payload of a mutation that writes one record, or many. @throws NotCompilable */
export function payloadJson(compiling: CompileContext, resource: Resource, field: Described): PayloadJson {
  const records: RecordSelection[] = [];
  const type = objectIn(field.definition.type, 'one or null');
  const text = objectWriter(compiling, type, field, (part): WriteJson<PayloadParts> => {
    const { answer, definition, nodes } = part;
    if (answer.kind !== 'payload') throw new NotCompilable();
    if (answer.part === 'userErrors') return userErrorsWriter(compiling, part);
    if (answer.part === 'changes') return changesWriter(compiling, part);
    records.push({
      type: recordTypeIn(definition.type, resource, answer.part === 'records' ? 'list' : 'one or null'),
      nodes,
    });
    return ({ record }) => record ?? 'null';
  });
  // The bytes of an answer are counted for the record alone, so it may be selected once.
  if (records.length > 1) throw new NotCompilable();
  return { record: records[0], text, refused: refusalWriter(compiling, type, field, text) };
}

export interface DeletedJson {
  deleted: WriteJson<readonly string[]>;
  refused: PayloadJson['refused'];
}

/** `DeletePayload` or `DeleteManyPayload`, from the deleted ids. A line's parent is left to the resolvers. */
export function deletedJson(compiling: CompileContext, field: Described): DeletedJson {
  const type = objectIn(field.definition.type, 'one or null');
  const text = objectWriter(compiling, type, field, (part): WriteJson<PayloadParts> => {
    const { answer } = part;
    if (answer.kind === 'payload' && answer.part === 'userErrors') return userErrorsWriter(compiling, part);
    if (answer.kind !== 'deleted') throw new NotCompilable();
    if (answer.part === 'id') return ({ deletedIds: [id = null] = [] }) => json(id);
    if (answer.part === 'ids') return ({ deletedIds = null }) => json(deletedIds);
    return ({ deletedIds }) => json(deletedIds !== undefined);
  });
  return { deleted: (deletedIds) => text({ deletedIds }), refused: refusalWriter(compiling, type, field, text) };
}

function refusalWriter(
  compiling: CompileContext,
  type: GraphQLObjectType,
  field: Described,
  text: WriteJson<PayloadParts>,
): PayloadJson['refused'] {
  const asks = fieldsOf(compiling, type, field).some(
    ({ answer }) => answer.kind === 'payload' && answer.part === 'userErrors',
  );
  return asks ? (userErrors) => text({ userErrors }) : undefined;
}

function userErrorsWriter(compiling: CompileContext, field: Described): WriteJson<PayloadParts> {
  const item = objectWriter(compiling, objectIn(field.definition.type, 'list'), field, (part): WriteJson<UserError> => {
    const { answer, definition } = part;
    if (answer.kind !== 'userError') throw new NotCompilable();
    const { part: name } = answer;
    const serialize = serializeOf(definition.type);
    return (error) => {
      const value = error[name];
      return json(Array.isArray(value) ? value.map(serialize) : value === undefined ? null : serialize(value));
    };
  });
  return ({ userErrors = [] }) => `[${userErrors.map(item).join()}]`;
}

function serializeOf(output: GraphQLOutputType): (value: unknown) => unknown {
  const type = getNamedType(output);
  if (!isLeafType(type)) throw new NotCompilable();
  return (value) => type.serialize(value);
}

function changesWriter(compiling: CompileContext, field: Described): WriteJson<PayloadParts> {
  const type = objectIn(field.definition.type, 'one or null');
  const text = objectWriter(compiling, type, field, (part): WriteJson<SaveChanges> => {
    const { answer, definition } = part;
    if (answer.kind !== 'changes') throw new NotCompilable();
    if (answer.part === 'fields') return ({ fields }) => json(fields);
    const line = objectWriter(compiling, objectIn(definition.type, 'list'), part, (inner): WriteJson<LineChanges> => {
      if (inner.answer.kind !== 'lineChanges') throw new NotCompilable();
      const { part: name } = inner.answer;
      return (changes) => json(changes[name]);
    });
    return ({ lines }) => `[${lines.map(line).join()}]`;
  });
  return ({ changes }) => (changes ? text(changes) : 'null');
}

/** An object whose fields are written by `part`. */
function objectWriter<Value>(
  compiling: CompileContext,
  type: GraphQLObjectType,
  field: Described,
  part: (field: Described) => WriteJson<Value>,
): WriteJson<Value> {
  const parts = fieldsOf(compiling, type, field).map((each): [start: string, text: WriteJson<Value>] => [
    `${json(each.key)}:`,
    each.answer.kind === 'typename' ? () => json(type.name) : part(each),
  ]);
  return (value) => `{${parts.map(([start, text]) => start + text(value)).join()}}`;
}

const fieldsOf = (compiling: CompileContext, type: GraphQLObjectType, { nodes }: Described): Described[] =>
  describedFields(
    type,
    nodes.map(({ selectionSet }) => selectionSet),
    compiling,
  );

const json = (value: unknown): Bytes => bytesOf(JSON.stringify(value));

/** The write and the JSON text of its answer; undefined if the resolvers must handle the arguments. */
export type WorkOf = (given: ArgumentValues, identity: Identity) => WriteProcedure<Bytes> | undefined;

export interface CompiledMutation {
  workOf: WorkOf;
  /** The answer in place of an error that the caller can correct, if `userErrors` is selected. */
  refused?: PayloadJson['refused'];
}
