/** `node` and `nodes`: any record by its id alone, as Relay's Global Object Identification describes. */

import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { requiredScopes, requireScopes } from '../access/scopes.js';
import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import { largestPageSize } from '../model/limits.js';
import { resourceOfId } from '../model/resource.js';
import { readOne } from '../records/read.js';
import { builder } from './builder.js';
import { accessed } from './guard-scopes.js';
import { node } from './object.js';

builder.queryField('node', (t) =>
  t.field({
    type: node,
    nullable: true,
    ...accessed('by id'),
    description: 'The record with this id, of whatever type; null where there is none.',
    args: { id: t.arg.id({ required: true, description: 'Id of the record.' }) },
    resolve: (_, { id }, context, info) => find(id, context, info),
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [node],
    nullable: { list: false, items: true },
    ...accessed('by id'),
    description: 'The records with these ids, in the order of the ids, with null where there is none.',
    args: { ids: t.arg.idList({ required: true, description: `Ids of the records, ${largestPageSize} at most.` }) },
    resolve: (_, { ids }, context, info) => {
      if (ids.length > largestPageSize) {
        const message = `must hold at most ${largestPageSize} ids`;
        throw errors.badInput([{ path: ['ids'], code: 'parameter_invalid', message }]);
      }
      // Each by itself, so that one that is refused leaves the others standing.
      return ids.map((id) => find(id, context, info));
    },
  }),
);

async function find(id: string, context: RequestContext, info: GraphQLResolveInfo) {
  const resource = resourceOfId(id);
  if (!resource) return null;
  requireScopes(context.identity, requiredScopes(resource, 'retrieve'));
  const query = queryFromInfo({ context, info, typeName: resource.model, select: { id: true } });
  const row = await readOne(context, resource, id, query);
  return row && { ...row, __typename: resource.model };
}
