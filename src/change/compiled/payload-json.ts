/** The JSON of what mutations answer apart from records: what was deleted, what a save has changed, what is wrong. */
import { type Bytes, bytesOf } from '../../common/bytes.js';
import type { Resource } from '../../model/resource.js';
import { type ArgumentValues, NotCompilable, required, type Selection, type UserError } from '../../model/selection.js';
import type { Identity } from '../context.js';
import type { WriteProcedure } from '../perform.js';
import type { LineChanges, SaveChanges } from '../writes/save.js';

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
  record: Selection | undefined;
  text: WriteJson<PayloadParts>;
  /** The answer in place of an error; undefined if `userErrors` is not selected. */
  refused: WriteJson<readonly UserError[]> | undefined;
}

/** The payload of a mutation that writes one record, or many. @throws NotCompilable */
export function payloadJson(resource: Resource, field: Selection): PayloadJson {
  const records: Selection[] = [];
  const text = objectWriter(required(field, 'one or null'), (part): WriteJson<PayloadParts> => {
    const { answer } = part;
    if (answer.kind !== 'payload') throw new NotCompilable();
    if (answer.part === 'userErrors') return userErrorsWriter(part);
    if (answer.part === 'changes') return changesWriter(part);
    records.push(required(part, answer.part === 'records' ? 'list' : 'one or null', resource));
    return ({ record }) => record ?? 'null';
  });
  // The bytes of an answer are counted for the record alone, so it may be selected once.
  if (records.length > 1) throw new NotCompilable();
  return { record: records[0], text, refused: refusalWriter(field, text) };
}

export interface DeletedJson {
  deleted: WriteJson<readonly string[]>;
  refused: PayloadJson['refused'];
}

/** `DeletePayload` or `DeleteManyPayload`, from the deleted ids. A line's parent is left to the resolvers. */
export function deletedJson(field: Selection): DeletedJson {
  const text = objectWriter(required(field, 'one or null'), (part): WriteJson<PayloadParts> => {
    const { answer } = part;
    if (answer.kind === 'payload' && answer.part === 'userErrors') return userErrorsWriter(part);
    if (answer.kind !== 'deleted') throw new NotCompilable();
    if (answer.part === 'id') return ({ deletedIds: [id = null] = [] }) => json(id);
    if (answer.part === 'ids') return ({ deletedIds = null }) => json(deletedIds);
    return ({ deletedIds }) => json(deletedIds !== undefined);
  });
  return { deleted: (deletedIds) => text({ deletedIds }), refused: refusalWriter(field, text) };
}

function refusalWriter({ fields }: Selection, text: WriteJson<PayloadParts>): PayloadJson['refused'] {
  const asks = fields.some(({ answer }) => answer.kind === 'payload' && answer.part === 'userErrors');
  return asks ? (userErrors) => text({ userErrors }) : undefined;
}

function userErrorsWriter(field: Selection): WriteJson<PayloadParts> {
  const item = objectWriter(required(field, 'list'), (part): WriteJson<UserError> => {
    const { answer } = part;
    if (answer.kind !== 'userError') throw new NotCompilable();
    const serialize = (value: unknown) => part.serialize(value);
    return (error) => {
      const value = error[answer.part];
      return json(Array.isArray(value) ? value.map(serialize) : value === undefined ? null : serialize(value));
    };
  });
  return ({ userErrors = [] }) => `[${userErrors.map(item).join()}]`;
}

function changesWriter(field: Selection): WriteJson<PayloadParts> {
  const text = objectWriter(required(field, 'one or null'), (part): WriteJson<SaveChanges> => {
    const { answer } = part;
    if (answer.kind !== 'changes') throw new NotCompilable();
    if (answer.part === 'fields') return ({ fields }) => json(fields);
    const line = objectWriter(required(part, 'list'), ({ answer: of }): WriteJson<LineChanges> => {
      if (of.kind !== 'lineChanges') throw new NotCompilable();
      return (changes) => json(changes[of.part]);
    });
    return ({ lines }) => `[${lines.map(line).join()}]`;
  });
  return ({ changes }) => (changes ? text(changes) : 'null');
}

/** An object whose fields are written by `part`. */
function objectWriter<Value>({ fields }: Selection, part: (field: Selection) => WriteJson<Value>): WriteJson<Value> {
  const parts = fields.map((each): [start: string, text: WriteJson<Value>] => {
    const { answer } = each;
    return [`${json(each.key)}:`, answer.kind === 'typename' ? () => json(answer.type) : part(each)];
  });
  return (value) => `{${parts.map(([start, text]) => start + text(value)).join()}}`;
}

const json = (value: unknown): Bytes => bytesOf(JSON.stringify(value));

/** The write and the JSON text of its answer; undefined if the resolvers must handle the arguments. */
export type WorkOf = (given: ArgumentValues, identity: Identity) => WriteProcedure<Bytes> | undefined;

export interface CompiledMutation {
  workOf: WorkOf;
  /** The answer in place of an error that the caller can correct, if `userErrors` is selected. */
  refused?: PayloadJson['refused'];
}
