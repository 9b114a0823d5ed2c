/** Mutations that delete one record or many. */

import { runWrite } from '../../change/perform.js';
import { removeLine } from '../../change/writes/line.js';
import { removeRecords } from '../../change/writes/many.js';
import { removeRecord } from '../../change/writes/record.js';
import { largestBatch } from '../../model/limits.js';
import { withArticle } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { constrained } from '../inputs/constraint.js';
import { deleteManyPayload, deletePayload, requireParentScopes } from '../types/deleted-record.js';
import { idArgument, writtenOne } from './mutation-options.js';

export function addDelete(
  builder: Builder,
  resource: Resource,
  resourceOfId: (id: string) => Resource | undefined,
): void {
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
