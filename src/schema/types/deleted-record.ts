/** The answer to a delete. It has no field `id`, because client caches would take it for the deleted record. */
import type { GraphQLResolveInfo } from 'graphql';
import { requiredScopes, requireScopes } from '../../access/scopes.js';
import type { RequestContext } from '../../context.js';
import type { Resource } from '../../model/resource.js';
import { answeredBySql } from '../answered-by-sql.js';
import { findNode } from '../fields/find-node.js';
import { selectsOnly } from '../guards/selects-only.js';
import { perBuilder } from '../per-builder.js';
import { node } from './record-interfaces.js';

interface Deleted {
  id: string;
  /** Only of a line deleted by its own mutation. */
  parent?: { id: string; resource: Resource | undefined } | undefined;
}

export const deletedRecord = perBuilder((builder) =>
  builder.objectRef<Deleted>('DeletedRecord').implement({
    description: 'A record that is gone for good, and its children with it.',
    fields: (t) => ({
      deletedId: t.exposeID('id', {
        extensions: answeredBySql({ kind: 'deleted', part: 'id' }),
        description: 'The id it had, to be taken out of a cache; no other record will get it.',
      }),
      deleted: t.boolean({
        description: 'Always true.',
        extensions: answeredBySql({ kind: 'deleted', part: 'deleted' }),
        resolve: () => true,
      }),
      parent: t.field({
        type: node(builder),
        nullable: true,
        description:
          'The record a deleted line belonged to, as it is now: its version was raised, and the lines behind moved up. ' +
          'Null for what was no line, or belonged to a record held elsewhere.',
        resolve: ({ parent }, _, context, info) =>
          parent ? findNode(parent.resource, parent.id, context, info) : null,
      }),
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

const withoutParent: ReadonlySet<string> = new Set(['deletedId', 'deleted', '__typename']);
