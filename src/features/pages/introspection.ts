/** The schema as GraphiQL loads it. */
import { type GraphQLSchema, type IntrospectionQuery, introspectionFromSchema } from 'graphql';
import type { Resource } from '../../model/resource.js';

/**
 * The answer to GraphiQL's introspection. Its types are in the order in which people look for them: the roots, the records,
 * then connections, inputs and filters, and what is needed least last. To make it takes most of a second once.
 */
export function introspectionOf(schema: GraphQLSchema, resources: readonly Pick<Resource, 'model'>[]) {
  const { __schema }: IntrospectionQuery = introspectionFromSchema(schema, {
    schemaDescription: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    inputValueDeprecation: true,
  });
  const records = new Map<string, number>(resources.map(({ model }, index) => [model, index]));
  const placed = __schema.types.map((type, index) => ({ type, group: groupOf(type.name, records), index }));
  placed.sort((a, b) => a.group - b.group || a.index - b.index);
  return { data: { __schema: { ...__schema, types: placed.map(({ type }) => type) } } };
}

const roots = ['Query', 'Mutation', 'Subscription'];

/** The ends of names, by the place of their group. */
const groups = [/Connection$/, /^(Create|Update|Save|Delete)/, /Filter$/, /Order$/, /Aggregate$/];

function groupOf(name: string, records: ReadonlyMap<string, number>): number {
  if (roots.includes(name)) return 0;
  if (records.has(name)) return 1;
  if (name.startsWith('__')) return groups.length + 4;
  const group = groups.findIndex((pattern) => pattern.test(name));
  if (group >= 0) return group + 2;
  // What stands for itself comes before the parts that belong to a record type, such as `AssetRepairEdge`.
  return [...records.keys()].some((model) => name.startsWith(model)) ? groups.length + 3 : groups.length + 2;
}
