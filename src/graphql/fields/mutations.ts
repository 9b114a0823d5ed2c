/** All mutations of single records; each calls `change/`. */

import { runWrite } from '../../change/perform.js';
import { createLine, removeLine, updateLine } from '../../change/writes/line.js';
import { createRecord, moveRecord, removeRecord, removeRecords, updateRecord } from '../../change/writes/record.js';
import { reorder } from '../../change/writes/reorder.js';
import { type Action, actions, transitions } from '../../model/lifecycle.js';
import { largestBatch, longestId, mostOrdered } from '../../model/limits.js';
import { enumName, withArticle } from '../../model/names.js';
import { type Resource, resourceById, singletonId } from '../../model/resource.js';
import { mayRead } from '../../model/scopes.js';
import { parentTitle } from '../../query/scope.js';
import { answeredBySql, type WriteOperation } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { constrained } from '../inputs/filters.js';
import { createInput, updateInput } from '../inputs/inputs.js';
import { deleteManyPayload, deletePayload, requireParentScopes } from '../types/deleted-record.js';
import { listPayloadOf, payloadOf } from '../types/payload.js';
import { writeAndSelect, writeAndSelectMany } from './write-and-select.js';

export function addMutations(builder: Builder, resources: readonly Resource[]): void {
  const resourceOfId = resourceById(resources);
  for (const resource of resources) {
    addUpdate(builder, resource);
    if (resource.kind === 'singleton') continue;
    addCreate(builder, resource);
    addDelete(builder, resource, resourceOfId);
    if (resource.documentLike) for (const action of actions) addMove(builder, resource, action);
    if (resource.kind === 'child') addReorder(builder, resource);
  }
}

function addCreate(builder: Builder, resource: Resource): void {
  const mutation = resource.kind === 'child' ? createLine : createRecord;
  const input = createInput(builder, resource);
  builder.mutationField(`create${resource.model}`, (t) =>
    t.field({
      type: payloadOf(builder, resource),
      nullable: true,
      ...withAccess({ resource, operation: 'create' }, writtenOne(resource, 'create', ['input'])),
      description: `Creates ${withArticle(resource.title)}${createdWith(resource)}. Fields left out get their default, or stay empty.`,
      args: { input: t.arg({ type: input, required: true }) },
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
      type: payloadOf(builder, resource),
      nullable: true,
      ...withAccess(
        { resource, operation: 'update' },
        writtenOne(resource, 'update', ['id', 'input', 'expectedVersion']),
      ),
      description: `Changes the given fields of ${withArticle(resource.title)} and leaves the others as they are.`,
      args: {
        ...ownIdArgument(builder, resource),
        input: t.arg({ type: input, required: true }),
      },
      resolve: (_, { id, input: fields, expectedVersion: version }, context, info) =>
        writeAndSelect(context, info, resource, (writing) =>
          mutation(writing, resource, { id: idAmong(resource, id), input: fields, version }),
        ),
    }),
  );
}

function addMove(builder: Builder, resource: Resource, action: Action): void {
  const [from, to] = [transitions[action].from, transitions[action].to].map(enumName);
  builder.mutationField(`${action}${resource.model}`, (t) =>
    t.field({
      type: payloadOf(builder, resource),
      nullable: true,
      ...withAccess({ resource, operation: action }, writtenOne(resource, action, ['id', 'expectedVersion'])),
      description: `Moves ${withArticle(resource.title)} from \`${from}\` to \`${to}\`; INVALID_STATE where it is not \`${from}\`.`,
      args: idArgument(builder),
      resolve: (_, { id, expectedVersion: version }, context, info) =>
        writeAndSelect(context, info, resource, (writing) => moveRecord(writing, resource, { id, action, version })),
    }),
  );
}

function addReorder(builder: Builder, resource: Resource): void {
  builder.mutationField(`reorder${resource.plural}`, (t) =>
    t.field({
      type: listPayloadOf(builder, resource),
      nullable: true,
      ...withAccess({ resource, operation: 'reorder' }, writtenOne(resource, 'reorder', ['parentId', 'ids'])),
      description: `Puts every ${resource.title} of one ${parentTitle(resource)} into a new order and returns them in it.`,
      args: {
        parentId: t.arg.id({
          required: true,
          ...constrained({ notEmpty: true, longest: longestId }),
        }),
        ids: t.arg.idList(constrained({ maximumLength: mostOrdered })),
      },
      resolve: (_, { parentId, ids }, context, info) =>
        writeAndSelectMany(context, info, resource, (writing) =>
          reorder(writing, resource, { parentId, ids, reportsMissing: mayRead(context.identity, resource) }),
        ),
    }),
  );
}

/** Mutations that delete one record or many. */
function addDelete(builder: Builder, resource: Resource, resourceOfId: (id: string) => Resource | undefined): void {
  const mutation = resource.kind === 'child' ? removeLine : removeRecord;
  builder.mutationField(`delete${resource.model}`, (t) =>
    t.field({
      type: deletePayload(builder),
      nullable: true,
      ...withAccess({ resource, operation: 'delete' }, writtenOne(resource, 'delete', ['id', 'expectedVersion'])),
      description: `Deletes ${withArticle(resource.title)} for good${resource.lines.length > 0 ? ', and its lines with it' : ''}.`,
      args: idArgument(builder),
      resolve: async (_, { id, expectedVersion: version }, context, info) => {
        requireParentScopes(resource, context, info);
        const row = { id, version };
        const { parentId } = await runWrite<{ id: string; parentId?: string }>(context, (writing) =>
          mutation(writing, resource, row),
        );
        return { id, parent: parentId === undefined ? undefined : { id: parentId, resource: resourceOfId(parentId) } };
      },
    }),
  );
}

export function addDeleteMany(builder: Builder, resource: Resource): void {
  builder.mutationField(`deleteMany${resource.plural}`, (t) =>
    t.field({
      type: deleteManyPayload(builder),
      nullable: true,
      ...withAccess(
        { resource, operation: 'delete' },
        answeredBySql({ kind: 'write', resource, operation: 'deleteMany' }, ['ids']),
      ),
      description: `Deletes up to ${largestBatch} records of ${resource.title} for good${resource.lines.length > 0 ? ', and their lines with them' : ''}: all or none.`,
      args: {
        ids: t.arg.idList({ required: true, ...constrained({ maximumLength: largestBatch }) }),
      },
      resolve: async (_, { ids }, context) => {
        await runWrite(context, (writing) => removeRecords(writing, resource, ids));
        return { ids };
      },
    }),
  );
}

/** What the mutations of one record have in common. */

/** The record, and its expected version. */
const idArgument = (builder: Builder) =>
  builder.args((t) => ({ id: t.id({ required: true }), expectedVersion: t.int() }));

/** The same, where the record may be the only one of its type, which needs no id. */
export const ownIdArgument = (builder: Builder, { kind }: Resource) =>
  builder.args((t) => ({ id: t.id({ required: kind !== 'singleton' }), expectedVersion: t.int() }));

/** The id that was given, or that of the only record. */
export const idAmong = (resource: Resource, id: string | null | undefined): string => id ?? singletonId(resource);

/** How SQL answers a mutation with the arguments `known`. */
const writtenOne = (resource: Resource, operation: WriteOperation, known: readonly string[]) =>
  answeredBySql({ kind: 'write', resource, operation }, known);
