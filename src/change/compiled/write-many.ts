/**
 * Compiled mutations that write many records and return them: many of one type, or the lines of a parent in a new
 * order.
 */

import type { Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import { mayRead } from '../../model/scopes.js';
import {
  type ArgumentValues,
  hasLists,
  inputsIn,
  textArgument,
  textsIn,
} from '../../query/compiled/argument-values.js';
import type { Described } from '../../query/compiled/described-fields.js';
import type { CompileContext } from '../../query/sql/statement.js';
import type { Identity } from '../context.js';
import type { WriteProcedure } from '../perform.js';
import { createRecords, type RecordUpdate, updateRecords, type WrittenRecords } from '../writes/many.js';
import { reorder } from '../writes/reorder.js';
import type { CompiledMutation, WorkOf } from './work-of.js';
import { writtenListPayload } from './written-payload.js';

export function writingMany(
  compiling: CompileContext,
  resource: Resource,
  operation: 'reorder' | 'createMany' | 'updateMany',
  field: Described,
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
