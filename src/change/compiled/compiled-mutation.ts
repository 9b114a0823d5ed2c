/** Runs a compiled mutation: the same changes as the resolvers make, with the answer built by the database. */

import type { Bytes } from '../../common/bytes.js';
import type { Procedure } from '../../common/work.js';
import type { Values } from '../../model/change.js';
import { type Resource, singletonId } from '../../model/resource.js';
import { mayRead, requiredScopes, requireScopes } from '../../model/scopes.js';
import type { ArgumentValues, Selection, WriteOperation } from '../../model/selection.js';
import { hasLists, inputArgument, inputsIn, numberArgument, textArgument, textsIn } from '../../query/arguments.js';
import type { CompileContext } from '../../query/sql/statement.js';
import { applyPlan } from '../apply-plan.js';
import type { ChangeContext, Identity } from '../context.js';
import type { WriteProcedure } from '../perform.js';
import type { AnswerSql } from '../statements/single-statement.js';
import { createLine, removeLine, reorder, updateLine } from '../writes/line.js';
import {
  createRecord,
  createRecords,
  creationOf,
  creationsOf,
  moveRecord,
  type RecordUpdate,
  removeRecord,
  removeRecords,
  updateRecord,
  updateRecords,
  type WrittenRecord,
  type WrittenRecords,
} from '../writes/record.js';
import { type SaveChanges, save } from '../writes/save.js';
import { insertedJson, insertedOnly } from './inserted-json.js';
import { type CompiledMutation, deletedJson, type PayloadJson, payloadJson, type WorkOf } from './payload-json.js';
import { writtenRecordJson, writtenRecordsJson } from './written-json.js';

/** @throws NotCompilable */
export function compiledMutation(
  compiling: CompileContext,
  resource: Resource,
  operation: WriteOperation,
  field: Selection,
): CompiledMutation {
  switch (operation) {
    case 'delete':
    case 'deleteMany':
      return deleting(resource, operation, field);
    case 'save':
      return saving(compiling, resource, field);
    case 'reorder':
    case 'updateMany':
      return writingMany(compiling, resource, operation, field);
    case 'createMany':
      return creating(compiling, resource, operation, field) ?? writingMany(compiling, resource, operation, field);
    case 'create':
      return creating(compiling, resource, operation, field) ?? writingOne(compiling, resource, operation, field);
    default:
      return writingOne(compiling, resource, operation, field);
  }
}

function writingOne(
  compiling: CompileContext,
  resource: Resource,
  operation: 'create' | 'update' | 'submit' | 'cancel',
  field: Selection,
): CompiledMutation {
  const { folded, text, refused } = writtenPayload(compiling, resource, field);
  const isLine = resource.kind === 'child';
  const work = (given: ArgumentValues): ((writing: ChangeContext) => Procedure<WrittenRecord>) | undefined => {
    const id = idIn(given, resource);
    const version = numberArgument(given, 'expectedVersion');
    if (operation === 'submit' || operation === 'cancel') {
      return id === undefined
        ? undefined
        : (writing) => moveRecord(writing, resource, { id, action: operation, version }, folded);
    }
    const input = inputArgument(given, 'input');
    if (!input || !hasLists(input, resource)) return undefined;
    if (operation === 'create') {
      return (writing) =>
        isLine ? createLine(writing, resource, input) : createRecord(writing, resource, input, folded);
    }
    if (id === undefined) return undefined;
    return (writing) => (isLine ? updateLine : updateRecord)(writing, resource, { id, input, version }, folded);
  };
  const workOf: WorkOf = (given) => {
    const written = work(given);
    return (
      written &&
      function* (writing) {
        return yield* text(yield* written(writing));
      }
    );
  };
  return { workOf, refused };
}

function deleting(resource: Resource, operation: 'delete' | 'deleteMany', field: Selection): CompiledMutation {
  const { deleted, refused } = deletedJson(field);
  if (operation === 'deleteMany') {
    const workOf: WorkOf = (given) => {
      const ids = textsIn(given, 'ids');
      return (
        ids &&
        function* (writing) {
          yield* removeRecords(writing, resource, ids);
          return deleted(ids);
        }
      );
    };
    return { workOf, refused };
  }
  const removal = resource.kind === 'child' ? removeLine : removeRecord;
  const workOf: WorkOf = (given) => {
    const id = textArgument(given, 'id');
    if (id === undefined) return undefined;
    return function* (writing) {
      yield* removal(writing, resource, { id, version: numberArgument(given, 'expectedVersion') });
      return deleted([id]);
    };
  };
  return { workOf, refused };
}

function saving(compiling: CompileContext, resource: Resource, field: Selection): CompiledMutation {
  const { text, refused } = writtenPayload(compiling, resource, field);
  const workOf: WorkOf = (given, identity) => {
    const id = idIn(given, resource);
    const input = inputArgument(given, 'input');
    if (id === undefined || !input || !hasLists(input, resource)) return undefined;
    const beforeDeleting = () => requireScopes(identity, requiredScopes(resource, 'delete'));
    const request = { id, input, version: numberArgument(given, 'expectedVersion'), beforeDeleting };
    return function* (writing) {
      return yield* text({ id }, yield* save(writing, resource, request));
    };
  };
  return { workOf, refused };
}

/** The id that was given, or that of the only record; undefined where one has to be given. */
const idIn = (given: ArgumentValues, resource: Resource): string | undefined =>
  textArgument(given, 'id') ?? (resource.kind === 'singleton' ? singletonId(resource) : undefined);

/** Compiled creates whose answer is known before anything is written, so that no statement has to read it. */

/** Undefined if the answer has to be read after the write. */
function creating(
  compiling: CompileContext,
  resource: Resource,
  operation: 'create' | 'createMany',
  field: Selection,
): CompiledMutation | undefined {
  // The place of a line among its siblings is known only when it is written.
  if (resource.kind === 'child') return undefined;
  const isMany = operation === 'createMany';
  const { record, text, refused } = payloadJson(resource, field);
  const json = record && insertedJson(compiling, resource, record);
  if (!json) return undefined;
  const folded = insertedOnly(resource);
  const workOf: WorkOf = (given) => {
    const input = inputArgument(given, 'input');
    const inputs = isMany ? inputsIn(given, 'inputs') : input && [input];
    if (!inputs?.every((each) => hasLists(each, resource))) return undefined;
    return function* (writing) {
      if (inputs.length === 0) return text({ record: '[]' });
      const plan = input ? creationOf(resource, input) : creationsOf(resource, inputs);
      let texts: Bytes[] = [];
      const admit = () => {
        texts = json(plan.steps);
      };
      yield* applyPlan(writing, { ...plan, admit }, folded);
      return text({ record: isMany ? `[${texts.join()}]` : texts.join() });
    };
  };
  return { workOf, refused };
}

/**
 * Compiled mutations that write many records and return them: many of one type, or the lines of a parent in a new
 * order.
 */
function writingMany(
  compiling: CompileContext,
  resource: Resource,
  operation: 'reorder' | 'createMany' | 'updateMany',
  field: Selection,
): CompiledMutation {
  const { folded, text, refused } = writtenListPayload(compiling, resource, field);
  const work = (given: ArgumentValues, identity: Identity): WriteProcedure<WrittenRecords> | undefined => {
    if (operation === 'createMany') {
      const inputs = inputsIn(given, 'inputs');
      const isWhole = inputs?.every((input) => hasLists(input, resource));
      return inputs && isWhole ? (writing) => createRecords(writing, resource, inputs, folded) : undefined;
    }
    if (operation === 'updateMany') {
      const updates = inputsIn(given, 'updates')?.filter(isUpdate);
      return updates && written((writing) => updateRecords(writing, resource, updates));
    }
    const parentId = textArgument(given, 'parentId');
    const request = { ids: textsIn(given, 'ids'), reportsMissing: mayRead(identity, resource) };
    return parentId === undefined
      ? undefined
      : written((writing) => reorder(writing, resource, { parentId, ...request }));
  };
  const workOf: WorkOf = (given, identity) => {
    const performed = work(given, identity);
    return (
      performed &&
      function* (writing) {
        return yield* text(yield* performed(writing));
      }
    );
  };
  return { workOf, refused };
}

/** A write whose answer is read by a statement of its own. */
function written(work: WriteProcedure<readonly string[]>): WriteProcedure<WrittenRecords> {
  return function* (writing) {
    return { ids: yield* work(writing) };
  };
}

/** The schema's inputs of updates always have these two members. */
const isUpdate = (value: Values & Partial<RecordUpdate>): value is Values & RecordUpdate =>
  value.id !== undefined && value.input !== undefined;

/** A payload whose record is read by the database in the transaction that wrote it. */
interface WrittenPayload {
  /** The record as a part of the statement that writes it; undefined if it is not selected. */
  folded: AnswerSql | undefined;
  text(written: WrittenRecord, changes?: SaveChanges): Procedure<Bytes>;
  refused: PayloadJson['refused'];
}

/** @throws NotCompilable */
function writtenPayload(compiling: CompileContext, resource: Resource, field: Selection): WrittenPayload {
  const { record, text, refused } = payloadJson(resource, field);
  const json = record && writtenRecordJson(compiling, resource.model, record);
  return {
    folded: json?.folded,
    *text(written, changes) {
      return text({ record: json && (yield* json.text(written)), changes });
    },
    refused,
  };
}

/** The same of many records. */
interface WrittenListPayload extends Pick<WrittenPayload, 'folded' | 'refused'> {
  text(written: WrittenRecords): Procedure<Bytes>;
}

/** @throws NotCompilable */
function writtenListPayload(compiling: CompileContext, resource: Resource, field: Selection): WrittenListPayload {
  const { record, text, refused } = payloadJson(resource, field);
  const json = record && writtenRecordsJson(compiling, resource.model, record);
  return {
    folded: json?.folded,
    *text(written) {
      return text({ record: json && (yield* json.text(written)) });
    },
    refused,
  };
}
