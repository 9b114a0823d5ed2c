/** All mutations of single records; each calls `records/`. */
import { mayRead } from '../../access/scopes.js';
import { longestId } from '../../model/limits.js';
import { capitalized, withArticle } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import { createLine, removeLine, updateLine } from '../../records/change/line.js';
import { reorder } from '../../records/change/order.js';
import { runWrite } from '../../records/change/perform.js';
import { createRecord, moveRecord, removeRecord, updateRecord } from '../../records/change/record.js';
import { type Action, actions, transitions } from '../../records/lifecycle.js';
import { parentTitle } from '../../records/scope.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { constrained } from '../inputs/constraint.js';
import { createInput, updateInput } from '../inputs/inputs.js';
import { deletedRecord, requireParentScopes } from '../types/deleted-record.js';
import { typeOf } from '../types/record-object-types.js';
import type { WriteOperation } from '../write-operation.js';
import { writeAndSelect, writeAndSelectMany } from './write-and-select.js';

export function addMutations(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) {
    addUpdate(builder, resource);
    if (resource.kind === 'singleton') continue;
    addCreate(builder, resource);
    addDelete(builder, resource);
    if (resource.documentLike) for (const action of actions) addMove(builder, resource, action);
    if (resource.kind === 'child') addReorder(builder, resource);
  }
}

export const versionHint =
  'The version you have read. If the record has changed since, nothing happens and VERSION_CONFLICT is answered.';

/** The record, and its expected version. */
export const idArgument = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    id: t.id({ required: true, description: `Id of the ${resource.title}.` }),
    expectedVersion: t.int({ description: versionHint }),
  }));

/** How SQL answers a mutation with the arguments `known`. */
const writtenOne = (resource: Resource, operation: WriteOperation, known: readonly string[]) =>
  answeredBySql({ kind: 'write', resource, operation }, known);

function addCreate(builder: Builder, resource: Resource): void {
  const mutation = resource.kind === 'child' ? createLine : createRecord;
  const input = createInput(builder, resource);
  builder.mutationField(`create${resource.model}`, (t) =>
    t.field({
      type: typeOf(builder, resource),
      nullable: true,
      ...withAccess({ resource, operation: 'create' }, writtenOne(resource, 'create', ['input'])),
      description: `Creates ${withArticle(resource.title)}${createdWith(resource)}. Fields left out get their default, or stay empty.`,
      args: { input: t.arg({ type: input, required: true, description: 'The new record.' }) },
      resolve: (_, args, context, info) =>
        writeAndSelect(context, info, resource, (writing) => mutation(writing, resource, args.input)),
    }),
  );
}

function createdWith({ kind, lines }: Resource): string {
  if (kind === 'child') return ' behind the other lines of its parent, or among them at `idx`';
  return lines.length > 0 ? ' together with its lines, all or nothing' : '';
}

function addUpdate(builder: Builder, resource: Resource): void {
  const mutation = resource.kind === 'child' ? updateLine : updateRecord;
  const input = updateInput(builder, resource);
  builder.mutationField(`update${resource.model}`, (t) =>
    t.field({
      type: typeOf(builder, resource),
      nullable: true,
      ...withAccess(
        { resource, operation: 'update' },
        writtenOne(resource, 'update', ['id', 'input', 'expectedVersion']),
      ),
      description: `Changes the given fields of ${withArticle(resource.title)} and leaves the others as they are.`,
      args: {
        ...idArgument(builder, resource),
        input: t.arg({ type: input, required: true, description: 'The fields to change.' }),
      },
      resolve: (_, { expectedVersion: version, ...args }, context, info) =>
        writeAndSelect(context, info, resource, (writing) => mutation(writing, resource, { ...args, version })),
    }),
  );
}

function addDelete(builder: Builder, resource: Resource): void {
  const mutation = resource.kind === 'child' ? removeLine : removeRecord;
  builder.mutationField(`delete${resource.model}`, (t) =>
    t.field({
      type: deletedRecord(builder),
      nullable: true,
      ...withAccess({ resource, operation: 'delete' }, writtenOne(resource, 'delete', ['id', 'expectedVersion'])),
      description: `Deletes ${withArticle(resource.title)} for good${resource.lines.length > 0 ? ', and its lines with it' : ''}.`,
      args: idArgument(builder, resource),
      resolve: (_, { id, expectedVersion: version }, context, info) => {
        requireParentScopes(resource, context, info);
        const row = { id, version };
        return runWrite<{ id: string; parentId?: string }>(context, (writing) => mutation(writing, resource, row));
      },
    }),
  );
}

function addMove(builder: Builder, resource: Resource, action: Action): void {
  const { from, to } = transitions[action];
  builder.mutationField(`${action}${resource.model}`, (t) =>
    t.field({
      type: typeOf(builder, resource),
      nullable: true,
      ...withAccess({ resource, operation: action }, writtenOne(resource, action, ['id', 'expectedVersion'])),
      description: `Moves ${withArticle(resource.title)} from ${from} to ${to}; INVALID_STATE where it is not ${from}.`,
      args: idArgument(builder, resource),
      resolve: (_, { id, expectedVersion: version }, context, info) =>
        writeAndSelect(context, info, resource, (writing) => moveRecord(writing, resource, { id, action, version })),
    }),
  );
}

function addReorder(builder: Builder, resource: Resource): void {
  builder.mutationField(`reorder${capitalized(resource.many)}`, (t) =>
    t.field({
      type: [typeOf(builder, resource)],
      nullable: true,
      ...withAccess({ resource, operation: 'reorder' }, writtenOne(resource, 'reorder', ['parentId', 'ids'])),
      description: `Puts every ${resource.title} of one parent into a new order and returns them in it.`,
      args: {
        parentId: t.arg.id({
          required: true,
          description: `Id of the ${parentTitle(resource)}.`,
          ...constrained({ notEmpty: true, longest: longestId }),
        }),
        ids: t.arg.idList({
          description:
            'The id of every line of the parent, once, in the new order. Left out: gaps are closed and the order stays; ' +
            'the answer then names every line, for which the key must be one that may read.',
        }),
      },
      resolve: (_, { parentId, ids }, context, info) =>
        writeAndSelectMany(context, info, resource, (writing) =>
          reorder(writing, resource, { parentId, ids, tellsMissing: mayRead(context.identity, resource) }),
        ),
    }),
  );
}
