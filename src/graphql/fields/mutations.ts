/** All mutations of single records; each calls `change/`. */

import { createLine, updateLine } from '../../change/writes/line.js';
import { createRecord, moveRecord, updateRecord } from '../../change/writes/record.js';
import { reorder } from '../../change/writes/reorder.js';
import { enumName } from '../../model/enum-name.js';
import { type Action, actions, transitions } from '../../model/lifecycle.js';
import { longestId, mostOrdered } from '../../model/limits.js';
import { withArticle } from '../../model/names.js';
import { type Resource, resourceById } from '../../model/resource.js';
import { mayRead } from '../../model/scopes.js';
import { parentTitle } from '../../query/scope.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { constrained } from '../inputs/constraint.js';
import { createInput, updateInput } from '../inputs/inputs.js';
import { listPayloadOf, payloadOf } from '../types/payload.js';
import { addDelete } from './delete-mutations.js';
import { idAmong, idArgument, ownIdArgument, writtenOne } from './mutation-options.js';
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
