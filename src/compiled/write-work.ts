/** Runs a compiled mutation: the same changes as the resolvers make, with the answer built by the database. */
import { requiredScopes, requireScopes } from '../access/scopes.js';
import type { Resource } from '../model/resource.js';
import { createLine, removeLine, updateLine } from '../records/change/line.js';
import { removeMany } from '../records/change/many.js';
import { create, move, remove, update, type WrittenRecord } from '../records/change/record.js';
import { save } from '../records/change/save.js';
import type { Writing } from '../records/change/writing.js';
import type { WriteOperation } from '../schema/write-operation.js';
import type { Work } from '../work.js';
import { type Described, objectIn, recordTypeIn } from './described.js';
import { type Given, hasLists, inputIn, numberIn, textIn, textsIn } from './given.js';
import type { Compiling } from './statement.js';
import { deletedAnswer, savedAnswer } from './told-answer.js';
import { recordAnswer } from './write-answer.js';
import { type WriteWork, writingMany } from './write-many.js';

export type { WriteWork };

/** @throws NotCompilable */
export function writeWork(
  compiling: Compiling,
  resource: Resource,
  operation: WriteOperation,
  field: Described,
): WriteWork {
  switch (operation) {
    case 'delete':
    case 'deleteMany':
      return deleting(compiling, resource, operation, field);
    case 'save':
      return saving(compiling, resource, field);
    case 'reorder':
    case 'createMany':
    case 'updateMany':
      return writingMany(compiling, resource, operation, field);
    default:
      return writingOne(compiling, resource, operation, field);
  }
}

function writingOne(
  compiling: Compiling,
  resource: Resource,
  operation: 'create' | 'update' | 'submit' | 'cancel',
  { definition, nodes }: Described,
): WriteWork {
  const type = recordTypeIn(definition.type, resource, 'one or null');
  const { folded, text } = recordAnswer(compiling, { type, nodes, model: resource.model });
  const isLine = resource.kind === 'child';
  const work = (given: Given): ((writing: Writing) => Work<WrittenRecord>) | undefined => {
    const id = textIn(given, 'id');
    const version = numberIn(given, 'expectedVersion');
    if (operation === 'submit' || operation === 'cancel') {
      return id === undefined
        ? undefined
        : (writing) => move(writing, resource, { id, action: operation, version }, folded);
    }
    const input = inputIn(given, 'input');
    if (!input || !hasLists(input, resource)) return undefined;
    if (operation === 'create') {
      return (writing) => (isLine ? createLine(writing, resource, input) : create(writing, resource, input, folded));
    }
    if (id === undefined) return undefined;
    return (writing) => (isLine ? updateLine : update)(writing, resource, { id, input, version }, folded);
  };
  return (given) => {
    const written = work(given);
    return (
      written &&
      function* (writing) {
        return yield* text(yield* written(writing));
      }
    );
  };
}

function deleting(
  compiling: Compiling,
  resource: Resource,
  operation: 'delete' | 'deleteMany',
  field: Described,
): WriteWork {
  const type = objectIn(field.definition.type, operation === 'delete' ? 'one or null' : 'list');
  const text = deletedAnswer(compiling, type, field);
  if (operation === 'deleteMany') {
    return (given) => {
      const ids = textsIn(given, 'ids');
      return (
        ids &&
        function* (writing) {
          yield* removeMany(writing, resource, ids);
          return `[${ids.map(text).join()}]`;
        }
      );
    };
  }
  const removal = resource.kind === 'child' ? removeLine : remove;
  return (given) => {
    const id = textIn(given, 'id');
    if (id === undefined) return undefined;
    return function* (writing) {
      yield* removal(writing, resource, { id, version: numberIn(given, 'expectedVersion') });
      return text(id);
    };
  };
}

function saving(compiling: Compiling, resource: Resource, field: Described): WriteWork {
  const text = savedAnswer(compiling, resource, field);
  return (given, identity) => {
    const id = textIn(given, 'id');
    const input = inputIn(given, 'input');
    if (id === undefined || !input || !hasLists(input, resource)) return undefined;
    const beforeDeleting = () => requireScopes(identity, requiredScopes(resource, 'delete'));
    const request = { id, input, version: numberIn(given, 'expectedVersion'), beforeDeleting };
    return function* (writing) {
      return yield* text(id, yield* save(writing, resource, request));
    };
  };
}
