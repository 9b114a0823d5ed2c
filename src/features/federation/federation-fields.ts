/**
 * `_entities` and `_service`: what makes the schema a subgraph of Apollo Federation. A router asks `_entities` for the
 * records that other subgraphs name by their type and id.
 */

import { answeredBySql } from '../../graphql/answered-by-sql.js';
import type { Builder } from '../../graphql/builder.js';
import { findRecords } from '../../graphql/fields/find-node.js';
import { withAccess } from '../../graphql/guards/guard-scopes.js';
import { constrained } from '../../graphql/inputs/constraint.js';
import { typeOf } from '../../graphql/types/record-object-types.js';
import { largestPageSize } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { printSubgraph } from './print-subgraph.js';
import { addRepresentations } from './representation-type.js';

export function addFederation(builder: Builder, resources: readonly Resource[]): void {
  addRepresentations(builder, resources);
  const entity = builder.unionType('_Entity', {
    description: 'A record of any type, lines included, as a router of Apollo Federation asks for it.',
    types: resources.map((resource) => typeOf(builder, resource)),
  });
  const service = builder.objectRef<object>('_Service').implement({
    description: 'This schema as a subgraph of Apollo Federation.',
    fields: (t) => ({
      sdl: t.string({
        description: 'The schema as text, with the directives of Apollo Federation.',
        resolve: (_service, _args, _context, { schema }) => printSubgraph(schema),
      }),
    }),
  });

  builder.queryField('_entities', (t) =>
    t.field({
      type: [entity],
      nullable: { list: false, items: true },
      ...withAccess('by id', answeredBySql({ kind: 'entities', resources }, ['representations'])),
      description: 'The records that are represented, in the same order, with null where there is none.',
      args: {
        representations: t.arg({
          type: ['_Any'],
          required: true,
          description: `The types and ids of the records, ${largestPageSize} at most.`,
          ...constrained({ maximumLength: largestPageSize }),
        }),
      },
      resolve: (_, { representations }, context, info) => findRecords(representations, context, info),
    }),
  );

  builder.queryField('_service', (t) =>
    t.field({
      type: service,
      ...withAccess('any key'),
      description: 'What the composition of a supergraph reads of this gateway.',
      resolve: () => ({}),
    }),
  );
}
