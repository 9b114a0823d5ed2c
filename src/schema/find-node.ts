import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { requiredScopes, requireScopes } from '../access/scopes.js';
import type { RequestContext } from '../context.js';
import { resourceOfId } from '../model/resource.js';
import { readOne } from '../records/read.js';

/** The record with an id, of whatever type, as a field of type Node answers it; null where there is none. @throws FORBIDDEN */
export async function findNode(id: string, context: RequestContext, info: GraphQLResolveInfo) {
  const resource = resourceOfId(id);
  if (!resource) return null;
  requireScopes(context.identity, requiredScopes(resource, 'retrieve'));
  const query = queryFromInfo({ context, info, typeName: resource.model, select: { id: true } });
  const row = await readOne(context, resource, id, query);
  return row && { ...row, __typename: resource.model };
}
