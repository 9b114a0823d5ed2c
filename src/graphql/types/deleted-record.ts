/** The answers to deletes. They have no field `id`, because client caches would take it for the deleted record. */
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import type { Resource } from '../../model/resource.js';
import { requiredScopes, requireScopes } from '../../model/scopes.js';
import { answeredBySql } from '../answered-by-sql.js';
import { perBuilder } from '../builder.js';
import { findNode } from '../fields/nodes.js';
import { type Names, selectsOnly } from '../guards/guard-scopes.js';
import { node } from './record-interfaces.js';
import { type Refused, userErrorsField } from './user-error.js';

interface DeletePayload extends Partial<Refused> {
  id?: string;
  /** Only of a line. */
  parent?: { id: string; resource: Resource | undefined } | undefined;
}

export const deletePayload = perBuilder((builder) =>
  builder.objectRef<DeletePayload>('DeletePayload').implement({
    description: 'The outcome of deleting a record for good, and its children with it.',
    fields: (t) => ({
      deletedId: t.exposeID('id', {
        nullable: true,
        extensions: answeredBySql({ kind: 'deleted', part: 'id' }),
        description:
          'The id it had, to be taken out of a cache; no other record will get it. Null where nothing was deleted.',
      }),
      deleted: t.boolean({
        description: 'Whether it was deleted: false only with `userErrors`.',
        extensions: answeredBySql({ kind: 'deleted', part: 'deleted' }),
        resolve: ({ id }) => id !== undefined,
      }),
      parent: t.field({
        type: node(builder),
        nullable: true,
        description:
          'The record a deleted line belonged to, as it is now: its version was raised, and the lines after it moved up. ' +
          'Null for what was no line, or belonged to a record held elsewhere.',
        resolve: ({ parent }, _, context, info) =>
          parent ? findNode(parent.resource, parent.id, context, info) : null,
      }),
      userErrors: t.field(userErrorsField(builder)),
    }),
  }),
);

interface DeleteManyPayload extends Partial<Refused> {
  ids?: readonly string[];
}

export const deleteManyPayload = perBuilder((builder) =>
  builder.objectRef<DeleteManyPayload>('DeleteManyPayload').implement({
    description: 'The outcome of deleting many records for good, and their children with them.',
    fields: (t) => ({
      deletedIds: t.idList({
        nullable: true,
        description:
          'The ids they had, to be taken out of a cache; no other record will get them. Null where nothing was deleted.',
        extensions: answeredBySql({ kind: 'deleted', part: 'ids' }),
        resolve: ({ ids }) => ids && [...ids],
      }),
      userErrors: t.field(userErrorsField(builder)),
    }),
  }),
);

/**
 * Refuses to delete a line if the answer selects its parent and the key may not read; checked before anything is
 * deleted. A parent belongs to the area of its lines.
 */
export function requireParentScopes(
  resource: Resource,
  { identity }: Pick<RequestContext, 'identity'>,
  info: GraphQLResolveInfo,
): void {
  if (resource.kind !== 'child' || selectsOnly(info, withoutParent)) return;
  requireScopes(identity, requiredScopes(resource, 'retrieve'));
}

const withoutParent: Names = { deletedId: 'all', deleted: 'all', userErrors: 'all', __typename: 'all' };
