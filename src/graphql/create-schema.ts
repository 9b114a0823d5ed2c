/** The complete GraphQL schema of the gateway. */
import { type GraphQLSchema, specifiedDirectives } from 'graphql';
import { addAggregates } from '../features/aggregates/schema/aggregate-fields.js';
import { addFederation } from '../features/federation/federation-fields.js';
import { answerPast } from '../features/history/schema/answer-past.js';
import { addHistory } from '../features/history/schema/history-fields.js';
import { addApiKeys } from '../features/keys/schema/api-key-fields.js';
import { addSubscriptions } from '../features/live/schema/subscriptions.js';
import { addSearch } from '../features/search/schema/search-fields.js';
import { addUsageFields } from '../features/usage/schema/usage-fields.js';
import { addWebhookDeliveries } from '../features/webhooks/schema/webhook-deliveries.js';
import { addWebhookFields } from '../features/webhooks/schema/webhook-fields.js';
import type { Resource } from '../model/resource.js';
import { type Builder, createBuilder, type Plugins } from './builder.js';
import { describeSchema } from './describe-schema.js';
import { addBulkMutations } from './fields/bulk-mutations.js';
import { addLineConnections } from './fields/line-connections.js';
import { addLinkFields } from './fields/links.js';
import { addMutations } from './fields/mutations.js';
import { addNodes } from './fields/nodes.js';
import { addPreview } from './fields/preview-mutation.js';
import { addQueries } from './fields/queries.js';
import { addSaves } from './fields/save-mutations.js';
import { addViewer } from './fields/viewer.js';
import { answerLinkedLines } from './guards/answer-linked-lines.js';
import { answerUserErrors } from './guards/answer-user-errors.js';
import { countErrors } from './guards/count-errors.js';
import { countValues } from './guards/count-values.js';
import { guardArguments } from './guards/guard-arguments.js';
import { guardLinks } from './guards/guard-links.js';
import { guardScopes } from './guards/guard-scopes.js';
import { takeTurns } from './guards/take-turns.js';
import { addFilters } from './inputs/filters.js';
import { orderTypes } from './order-types.js';
import { addRecordTypes } from './types/record-object-types.js';
import { valueDirectives } from './value-notes.js';

export interface SchemaParts {
  resources: readonly Resource[];
  /** Whether it is a subgraph of Apollo Federation (FEDERATION). */
  federation?: boolean;
  /** Additional Pothos plugins. */
  plugins?: Plugins;
  /** Adds handwritten types and fields to the derived ones. */
  extend?(builder: Builder): void;
}

export function createSchema({ resources, federation = false, plugins, extend }: SchemaParts): GraphQLSchema {
  const builder = createBuilder(plugins);
  addRecordTypes(builder, resources);
  addFilters(builder, resources);
  addLineConnections(builder, resources);
  addLinkFields(builder, resources);
  addQueries(builder, resources);
  addNodes(builder, resources);
  addSearch(builder, resources);
  addMutations(builder, resources);
  addApiKeys(builder);
  addWebhookFields(builder);
  addWebhookDeliveries(builder);
  addSaves(builder, resources);
  addBulkMutations(builder, resources);
  addAggregates(builder, resources);
  addPreview(builder, resources);
  addUsageFields(builder);
  addViewer(builder, resources);
  addHistory(builder, resources);
  addSubscriptions(builder, resources);
  if (federation) addFederation(builder, resources);
  extend?.(builder);
  // The outermost guard runs first: a caller who may not use a field learns nothing about its arguments.
  const built = builder.toSchema({ sortSchema: false, directives: [...specifiedDirectives, ...valueDirectives] });
  const schema = answerPast(answerLinkedLines(built));
  orderTypes(schema, resources);
  describeSchema(schema, resources);
  schema.description = schemaDescription;
  return countErrors(guardScopes(answerUserErrors(guardArguments(guardLinks(countValues(takeTurns(schema)))))));
}

/** What GraphiQL and other tools show of the schema first. The links are relative to `/graphql`. */
const schemaDescription = `The business records of nine areas. Begin with a record type, such as \`AssetRepair\`: the query \`assetRepair\` finds one,
\`assetRepairs\` a page of them, \`assetRepairAggregate\` counts and sums, and \`createAssetRepair\`, \`saveAssetRepair\` and
\`submitAssetRepair\` change them.

- [Map of the record types](schema), with their lines, states and fields
- [Records](records), to look at and to edit
- [REST reference](docs), with the GraphQL operation of each endpoint, and a box that translates calls of REST
- [The schema as a file](schema.graphql), and [the operations of all endpoints](operations.json)`;
