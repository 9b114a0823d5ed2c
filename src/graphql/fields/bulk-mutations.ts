/** `createManyAssetRepairs` and the like: many records of one type in one mutation, all or nothing. */
import type { InputRef } from '@pothos/core';
import { createRecords, type RecordUpdate, updateRecords } from '../../change/writes/record.js';
import { largestBatch } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { requiredScopes, requireScopes } from '../../model/scopes.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { constrained } from '../inputs/filters.js';
import { createInput, updateInput } from '../inputs/inputs.js';
import { listPayloadOf } from '../types/payload.js';
import { addDeleteMany } from './mutations.js';
import { writeAndSelectMany } from './write-and-select.js';

export function addBulkMutations(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) {
    // Lines have no such mutations: `saveAssetRepair` changes them together with their parent.
    if (resource.kind !== 'resource') continue;
    addCreateMany(builder, resource);
    addUpdateMany(builder, resource);
    addDeleteMany(builder, resource);
  }
}

function addCreateMany(builder: Builder, resource: Resource): void {
  const inputs = createInput(builder, resource);
  builder.mutationField(`createMany${resource.plural}`, (t) =>
    t.field({
      type: listPayloadOf(builder, resource),
      nullable: true,
      ...withAccess(
        { resource, operation: 'create' },
        answeredBySql({ kind: 'write', resource, operation: 'createMany' }, ['inputs']),
      ),
      description: `Creates up to ${largestBatch} records of ${resource.title}${resource.lines.length > 0 ? ', each with its lines' : ''}: all or none. Returns them in the order of the inputs.`,
      args: {
        inputs: t.arg({ type: [inputs], required: true, ...constrained({ maximumLength: largestBatch }) }),
      },
      resolve: (_, args, context, info) =>
        writeAndSelectMany(context, info, resource, function* (writing) {
          return (yield* createRecords(writing, resource, args.inputs)).ids;
        }),
    }),
  );
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
  builder.mutationField(`updateMany${resource.plural}`, (t) =>
    t.field({
      type: listPayloadOf(builder, resource),
      nullable: true,
      ...withAccess(
        { resource, operation: 'update' },
        answeredBySql({ kind: 'write', resource, operation: 'updateMany' }, ['updates']),
      ),
      description: `Changes up to ${largestBatch} records of ${resource.title}, each in its own way: all or none. Returns them in the order of the updates.`,
      args: {
        updates: t.arg({ type: [type], required: true, ...constrained({ maximumLength: largestBatch }) }),
      },
      resolve: (_, { updates }, context, info) => {
        const needed = updates.flatMap(({ input }) => requiredScopes(resource, 'update', { input }));
        requireScopes(context.identity, [...new Set(needed)]);
        return writeAndSelectMany(context, info, resource, (writing) => updateRecords(writing, resource, updates));
      },
    }),
  );
}
