/** All mutations of records: of one, of many, and of one as a form holds it. Each calls `change/`. */
import type { InputFieldMap, InputRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { dryRun, runWrite, writeAndRead } from '../../change/perform.js';
import type { RecordUpdate } from '../../change/writes/record.js';
import { asked } from '../../change/writes/requested-write.js';
import { type Action, actions, transitions } from '../../model/lifecycle.js';
import { largestBatch, longestId, mostOrdered } from '../../model/limits.js';
import { enumName, withArticle } from '../../model/names.js';
import { parentTitle, type Resource, resourceById } from '../../model/resource.js';
import { requiredScopes, requireScopes } from '../../model/scopes.js';
import { type ArgumentValues, accessOfWrite, returnsParent, type WriteOperation } from '../../model/selection.js';
import { answeredBySql, withAccess } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { constrained } from '../inputs/filters.js';
import { createInput, saveInput, updateInput } from '../inputs/inputs.js';
import { selectionIn } from '../operation/selection.js';
import { deleteManyPayload, deletePayload, listPayloadOf, payloadOf } from '../types/payloads.js';
import { addMutationField, type MutationField } from '../types/record-type.js';
import { addActOnMany } from './act-on-many-mutation.js';

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
  // Lines are saved together with their parent, also many of them.
  for (const resource of resources) if (resource.kind !== 'child') addSave(builder, resource);
  for (const resource of resources) {
    if (resource.kind !== 'resource') continue;
    addCreateMany(builder, resource);
    addUpdateMany(builder, resource);
    addDeleteMany(builder, resource);
    addActOnMany(builder, resource);
  }
}

/** Adds a mutation, which SQL can answer with all of its arguments. */
function addMutation<Payload, Args extends InputFieldMap>(
  builder: Builder,
  resource: Resource,
  operation: WriteOperation,
  field: MutationField<Payload, Args>,
  onlyWith?: Readonly<Record<string, unknown>>,
): void {
  const isOfMany = operation === 'reorder' || operation.endsWith('Many');
  addMutationField(builder, operation + (isOfMany ? resource.plural : resource.model), {
    ...field,
    ...withAccess(
      { resource, operation: accessOfWrite[operation] },
      answeredBySql({ kind: 'write', resource, operation, onlyWith }, Object.keys(field.args)),
    ),
  });
}

function addCreate(builder: Builder, resource: Resource): void {
  addMutation(builder, resource, 'create', {
    type: () => payloadOf(builder, resource),
    description: `Creates ${withArticle(resource.title)}${createdWith(resource)}. Fields left out get their default, or stay empty.`,
    args: builder.args((t) => ({ input: t.field({ type: createInput(builder, resource), required: true }) })),
    resolve: writing(resource, 'create'),
  });
}

function createdWith({ kind, lines }: Resource): string {
  if (kind === 'child') return ' behind the other lines of its parent, or among them at `idx`';
  return lines.length > 0 ? ' together with its lines, all or nothing' : '';
}

function addUpdate(builder: Builder, resource: Resource): void {
  addMutation(builder, resource, 'update', {
    type: () => payloadOf(builder, resource),
    description: `Changes the given fields of ${withArticle(resource.title)} and leaves the others as they are.`,
    args: {
      ...ownIdArgument(builder, resource),
      ...builder.args((t) => ({ input: t.field({ type: updateInput(builder, resource), required: true }) })),
    },
    resolve: writing(resource, 'update'),
  });
}

function addMove(builder: Builder, resource: Resource, action: Action): void {
  const [from, to] = [transitions[action].from, transitions[action].to].map(enumName);
  addMutation(builder, resource, action, {
    type: () => payloadOf(builder, resource),
    description: `Moves ${withArticle(resource.title)} from \`${from}\` to \`${to}\`; INVALID_STATE where it is not \`${from}\`.`,
    args: idArgument(builder),
    resolve: writing(resource, action),
  });
}

function addReorder(builder: Builder, resource: Resource): void {
  addMutation(builder, resource, 'reorder', {
    type: () => listPayloadOf(builder, resource),
    description: `Puts every ${resource.title} of one ${parentTitle(resource)} into a new order and returns them in it.`,
    args: builder.args((t) => ({
      parentId: t.id({ required: true, ...constrained({ notEmpty: true, longest: longestId }) }),
      ids: t.idList(constrained({ maximumLength: mostOrdered })),
    })),
    resolve: writing(resource, 'reorder', 'records'),
  });
}

function addDelete(builder: Builder, resource: Resource, resourceOfId: (id: string) => Resource | undefined): void {
  addMutation(builder, resource, 'delete', {
    type: () => deletePayload(builder),
    description: `Deletes ${withArticle(resource.title)} for good${resource.lines.length > 0 ? ', and its lines with it' : ''}.`,
    args: idArgument(builder),
    resolve: async (_, args, context, info) => {
      // Refused before anything is deleted. A parent belongs to the area of its lines.
      if (resource.kind === 'child' && returnsParent(selectionIn(info))) {
        requireScopes(context.identity, requiredScopes(resource, 'retrieve'));
      }
      const { parentId } = await runWrite(context, asked(resource, 'delete', args, context));
      return {
        id: args.id,
        parent: parentId === undefined ? undefined : { id: parentId, resource: resourceOfId(parentId) },
      };
    },
  });
}

/** Saves a record as a form holds it, with its lines where it has any, in one transaction. */
function addSave(builder: Builder, resource: Resource): void {
  const [lines] = resource.lines;
  addMutation(
    builder,
    resource,
    'save',
    {
      type: () => payloadOf(builder, resource),
      description:
        `Saves ${withArticle(resource.title)} as a form holds it` +
        (lines
          ? ', all or nothing: the fields given, and of each list given exactly the lines given, in that order. ' +
            `All problems are reported at once, each with its place, \`input.${lines.field}[2].id\`.`
          : ': the fields given. All problems are reported at once.') +
        ' Raises the version once, or not at all if nothing differs.',
      args: {
        ...ownIdArgument(builder, resource),
        ...builder.args((t) => ({
          input: t.field({ type: saveInput(builder, resource), required: true }),
          validateOnly: t.boolean({ required: true, defaultValue: false }),
        })),
      },
      resolve: async (source, args, context, info) => {
        if (!args.validateOnly) return writing(resource, 'save')(source, args, context, info);
        // Nothing is stored that could be read.
        const { changes } = await dryRun(context, asked(resource, 'save', args, context));
        return { record: null, changes };
      },
    },
    { validateOnly: false },
  );
}

function addCreateMany(builder: Builder, resource: Resource): void {
  addMutation(builder, resource, 'createMany', {
    type: () => listPayloadOf(builder, resource),
    description: `Creates up to ${largestBatch} records of ${resource.title}${resource.lines.length > 0 ? ', each with its lines' : ''}: all or none. Returns them in the order of the inputs.`,
    args: builder.args((t) => ({
      inputs: t.field({
        type: [createInput(builder, resource)],
        required: true,
        ...constrained({ maximumLength: largestBatch }),
      }),
    })),
    resolve: writing(resource, 'createMany', 'records'),
  });
}

function addUpdateMany(builder: Builder, resource: Resource): void {
  const type: InputRef<RecordUpdate> = builder.inputType(`UpdateMany${resource.plural}Item`, {
    description: `One ${resource.title} of several to change, and what to change of it.`,
    fields: (t) => ({
      id: t.id({ required: true }),
      input: t.field({ type: updateInput(builder, resource), required: true }),
      expectedVersion: t.int(),
    }),
  });
  addMutation(builder, resource, 'updateMany', {
    type: () => listPayloadOf(builder, resource),
    description: `Changes up to ${largestBatch} records of ${resource.title}, each in its own way: all or none. Returns them in the order of the updates.`,
    args: builder.args((t) => ({
      updates: t.field({ type: [type], required: true, ...constrained({ maximumLength: largestBatch }) }),
    })),
    resolve: (source, args, context, info) => {
      const needed = args.updates.flatMap(({ input }) => requiredScopes(resource, 'update', { input }));
      requireScopes(context.identity, [...new Set(needed)]);
      return writing(resource, 'updateMany', 'records')(source, args, context, info);
    },
  });
}

function addDeleteMany(builder: Builder, resource: Resource): void {
  addMutation(builder, resource, 'deleteMany', {
    type: () => deleteManyPayload(builder),
    description: `Deletes up to ${largestBatch} records of ${resource.title} for good${resource.lines.length > 0 ? ', and their lines with them' : ''}: all or none.`,
    args: builder.args((t) => ({ ids: t.idList({ required: true, ...constrained({ maximumLength: largestBatch }) }) })),
    resolve: (_, args, context) => runWrite(context, asked(resource, 'deleteMany', args, context)),
  });
}

const idArgument = (builder: Builder) =>
  builder.args((t) => ({ id: t.id({ required: true }), expectedVersion: t.int() }));

/** The same, where the record may be the only one of its type, which needs no id. */
const ownIdArgument = (builder: Builder, { kind }: Resource) =>
  builder.args((t) => ({ id: t.id({ required: kind !== 'singleton' }), expectedVersion: t.int() }));

/** A resolver that writes, and reads in the same transaction what `field` of the payload selects of the written records. */
const writing =
  (resource: Resource, operation: WriteOperation, field: 'record' | 'records' = 'record') =>
  async (_: unknown, args: ArgumentValues, context: RequestContext, info: GraphQLResolveInfo) => {
    const selection = queryFromInfo({ context, info, typeName: resource.model, path: [field], select: { id: true } });
    const written = await writeAndRead(context, resource, asked(resource, operation, args, context), selection);
    return { ...written, record: written.records[0] };
  };
