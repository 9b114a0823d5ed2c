/** The complete GraphQL schema of the gateway. */
import type { GraphQLSchema } from 'graphql';
import type { Resource } from '../model/resource.js';
import { addAggregates } from './aggregates.js';
import { addApiKeys } from './api-keys.js';
import { type Builder, createBuilder, type Plugins } from './builder.js';
import { addBulkMutations } from './bulk.js';
import { countValues } from './count-values.js';
import { addFilters } from './filters.js';
import { guardArguments } from './guard-arguments.js';
import { guardScopes } from './guard-scopes.js';
import { addMutations } from './mutations.js';
import { addNodes } from './nodes.js';
import { addRecordTypes } from './object.js';
import { addPreview } from './preview.js';
import { addQueries } from './queries.js';
import { addSaves } from './save.js';

export interface SchemaParts {
  resources: readonly Resource[];
  /** Additional Pothos plugins. */
  plugins?: Plugins;
  /** Adds handwritten types and fields to the derived ones. */
  extend?(builder: Builder): void;
}

export function createSchema({ resources, plugins, extend }: SchemaParts): GraphQLSchema {
  const builder = createBuilder(plugins);
  addRecordTypes(builder, resources);
  addFilters(builder, resources);
  addQueries(builder, resources);
  addNodes(builder);
  addMutations(builder, resources);
  addApiKeys(builder);
  addSaves(builder, resources);
  addBulkMutations(builder, resources);
  addAggregates(builder, resources);
  addPreview(builder);
  extend?.(builder);
  // The outermost guard runs first: a caller who may not use a field learns nothing about its arguments.
  return guardScopes(guardArguments(countValues(builder.toSchema({ sortSchema: false }))));
}

export { coversCompiled, plugins } from './plugins.js';
