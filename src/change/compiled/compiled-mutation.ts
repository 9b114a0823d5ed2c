/** Runs a compiled mutation: the same changes as the resolvers make, with the answer built by the database. */

import type { Procedure } from '../../common/work.js';
import type { WriteOperation } from '../../graphql/write-operation.js';
import { type Resource, singletonId } from '../../model/resource.js';
import { requiredScopes, requireScopes } from '../../model/scopes.js';
import {
  type ArgumentValues,
  hasLists,
  inputArgument,
  numberArgument,
  textArgument,
  textsIn,
} from '../../query/compiled/argument-values.js';
import type { Described } from '../../query/compiled/described-fields.js';
import type { CompileContext } from '../../query/sql/statement.js';
import type { ChangeContext } from '../change-context.js';
import { createLine, removeLine, updateLine } from '../writes/line.js';
import { removeRecords } from '../writes/many.js';
import { createRecord, moveRecord, removeRecord, updateRecord, type WrittenRecord } from '../writes/record.js';
import { save } from '../writes/save.js';
import { creating } from './creating.js';
import { deletedJson } from './payload-json.js';
import type { CompiledMutation, WorkOf } from './work-of.js';
import { writingMany } from './write-many.js';
import { writtenPayload } from './written-payload.js';

/** @throws NotCompilable */
export function compiledMutation(
  compiling: CompileContext,
  resource: Resource,
  operation: WriteOperation,
  field: Described,
): CompiledMutation {
  switch (operation) {
    case 'delete':
    case 'deleteMany':
      return deleting(compiling, resource, operation, field);
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
  field: Described,
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

function deleting(
  compiling: CompileContext,
  resource: Resource,
  operation: 'delete' | 'deleteMany',
  field: Described,
): CompiledMutation {
  const { deleted, refused } = deletedJson(compiling, field);
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

function saving(compiling: CompileContext, resource: Resource, field: Described): CompiledMutation {
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
