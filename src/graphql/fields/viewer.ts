import type { Resource } from '../../model/resource.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { viewerType } from '../types/viewer-type.js';

/** `viewer`: what clients show of the key they use, and which buttons they offer with it. */
export function addViewer(builder: Builder, resources: readonly Resource[]): void {
  builder.queryField('viewer', (t) =>
    t.field({
      type: viewerType(builder),
      nullable: true,
      ...withAccess('any key'),
      description: 'The key that sends this request, and what it may do.',
      resolve: (_, _args, { identity, allowance, limits }) => limits && { identity, allowance, limits, resources },
    }),
  );
}
