/** `node` and `nodes`: any record by its id, following Relay's Global Object Identification. */
import { largestPageSize } from '../../model/limits.js';
import { type Resource, resourceById } from '../../model/resource.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { constrained } from '../inputs/constraint.js';
import { node } from '../types/record-interfaces.js';
import { findNode, findRecords } from './find-node.js';

export function addNodes(builder: Builder, resources: readonly Resource[]): void {
  const resourceOfId = resourceById(resources);

  builder.queryField('node', (t) =>
    t.field({
      type: node(builder),
      nullable: true,
      ...withAccess('by id', answeredBySql({ kind: 'node', resources }, ['id'])),
      description: 'The record with this id, of whatever type; null where there is none.',
      args: {
        id: t.arg.id({
          required: true,
          description: 'Id of the record, or of a state of the past, as `asOf` answers it.',
          ...constrained({ takesPast: true }),
        }),
      },
      resolve: (_, { id }, context, info) => findNode(resourceOfId(id), id, context, info),
    }),
  );

  builder.queryField('nodes', (t) =>
    t.field({
      type: [node(builder)],
      nullable: { list: false, items: true },
      ...withAccess('by id', answeredBySql({ kind: 'nodes', resources }, ['ids'])),
      description: 'The records with these ids, in the order of the ids, with null where there is none.',
      args: {
        ids: t.arg.idList({
          required: true,
          description: `Ids of the records, ${largestPageSize} at most; also those of states of the past.`,
          ...constrained({ maximumLength: largestPageSize, takesPast: true }),
        }),
      },
      resolve: (_, { ids }, context, info) =>
        findRecords(
          ids.map((id) => ({ resource: resourceOfId(id), id })),
          context,
          info,
        ),
    }),
  );
}
