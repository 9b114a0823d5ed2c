/** Who calls what, for keys with the scope `admin`: who still has to move, and to what. */
import type { RequestContext } from '../../../change/context.js';
import type { Current } from '../../../common/kept.js';
import { forHolders } from '../../../graphql/answered-by-sql.js';
import { type Builder, instantOrNull, objectOf, orNull } from '../../../graphql/builder.js';
import { constrained } from '../../../graphql/inputs/filters.js';
import { enumOf } from '../../../graphql/types/enums.js';
import { largestPageSize } from '../../../model/limits.js';
import { apiKey } from '../../keys/schema/api-key-fields.js';
import {
  type Callable,
  type Callables,
  deprecationReport,
  type ReportedDeprecation,
  type ReportedUse,
  usageReport,
} from '../report.js';

const forAdministrators = forHolders('admin');
const late = 'What was called in the last minute may be missing.';

export function addUsageFields(builder: Builder): void {
  builder.queryField('apiUses', (t) =>
    t.field({
      type: [apiUse(builder)],
      ...forAdministrators(
        `Which keys call which endpoints of REST, and use which deprecated parts of the schema: ordered by name, and then by the last call, the latest first. ${late}`,
      ),
      args: {
        surface: t.arg({ type: usageSurface(builder), description: 'Only what is called there.' }),
        name: t.arg.string({ description: 'Only what has this name.' }),
        keyId: t.arg.id({ description: 'Only the calls of this key.' }),
        onlyDeprecated: t.arg.boolean({
          required: true,
          defaultValue: false,
          description: 'Only calls of what is deprecated: who still has to move.',
        }),
        since: t.arg({ type: 'DateTime', description: 'Only what a key has called at this instant or later.' }),
        limit: t.arg.int({
          required: true,
          defaultValue: 100,
          description: `At most this many, 1 to ${largestPageSize}.`,
          ...constrained({ minimum: 1, maximum: largestPageSize }),
        }),
        offset: t.arg.int({
          required: true,
          defaultValue: 0,
          description: 'How many to skip first, 0 or more.',
          ...constrained({ minimum: 0 }),
        }),
      },
      resolve: (_, { limit, offset, ...filter }, context) =>
        usageReport(context.database, callablesIn(context), filter, { limit, offset }),
    }),
  );

  builder.queryField('apiDeprecations', (t) =>
    t.field({
      type: [apiDeprecation(builder)],
      ...forAdministrators(
        `Everything that is deprecated, with how often it is still called, also where nobody calls it. ${late}`,
      ),
      resolve: (_, _args, context) => deprecationReport(context.database, callablesIn(context)),
    }),
  );
}

export const callables = new WeakMap<object, Current<Callables>>();

const callablesIn = ({ gateway }: RequestContext): Callables => (gateway && callables.get(gateway)?.value) ?? new Map();

/** Who calls what, as administrators see it. */
const usageSurface = enumOf('UsageSurface', 'Where something is called.', {
  rest: 'An endpoint of REST.',
  graphql: 'A deprecated part of the GraphQL schema.',
});

const callable = objectOf<Callable>('ApiCallable', {
  description: 'An endpoint of REST, or a deprecated part of the GraphQL schema.',
  fields: (t, builder) => ({
    surface: t.expose('surface', { type: usageSurface(builder), description: 'Where it is called.' }),
    name: t.exposeString('name', {
      description: 'The name of the operation, `AssetRepairList`, or a coordinate of the schema, `AssetRepair.title`.',
    }),
    call: t.exposeString('call', {
      description: 'What clients call: `GET /api/assets/asset-repair`, or the coordinate.',
    }),
    isDeprecated: t.exposeBoolean('isDeprecated', { description: 'Whether clients should no longer call it.' }),
    deprecatedAt: t.expose(
      'since',
      instantOrNull('Since when an endpoint is deprecated, as its header `Deprecation` says.'),
    ),
    sunsetAt: t.expose('sunset', instantOrNull('When an endpoint ends, as its header `Sunset` says.')),
    replacement: t.exposeString(
      'replacement',
      orNull(
        'What to move to: the GraphQL operation that does the same as an endpoint, or the reason for which a part of the schema is deprecated.',
      ),
    ),
  }),
});

const usedByAgent = objectOf<ReportedUse['userAgents'][number]>('ApiUseByUserAgent', {
  description: 'Calls with one user agent.',
  fields: (t) => ({
    userAgent: t.exposeString('userAgent', {
      description: 'As the client sent it, shortened; empty for none, and for all others of a key that uses many.',
    }),
    calls: t.exposeFloat('calls', { description: 'How many.' }),
    lastAt: t.field({
      type: 'DateTime',
      description: 'When the last one was.',
      resolve: ({ lastAt }) => new Date(lastAt),
    }),
  }),
});

const apiUse = objectOf<ReportedUse>('ApiUse', {
  description: 'The calls of one endpoint, or the uses of one deprecated part of the schema, by one key.',
  fields: (t, builder) => ({
    name: t.exposeString('name', { description: 'The name of what is called.' }),
    callable: t.expose('callable', {
      type: callable(builder),
      ...orNull('What is called; null if it no longer exists.'),
    }),
    keyId: t.exposeID('keyId', {
      description: 'The id of the key that made the calls; `environment` is that of the setting API_KEY.',
    }),
    key: t.expose('key', { type: apiKey(builder), ...orNull('The key; null if it no longer exists.') }),
    calls: t.exposeFloat('calls', { description: 'How many.' }),
    firstAt: t.field({
      type: 'DateTime',
      description: 'When the first one was.',
      resolve: ({ firstAt }) => new Date(firstAt),
    }),
    lastAt: t.field({
      type: 'DateTime',
      description: 'When the last one was.',
      resolve: ({ lastAt }) => new Date(lastAt),
    }),
    userAgents: t.field({
      type: [usedByAgent(builder)],
      description: 'The user agents that the clients sent, the latest first.',
      resolve: ({ userAgents }) => [...userAgents],
    }),
  }),
});

const apiDeprecation = objectOf<ReportedDeprecation>('ApiDeprecation', {
  description: 'Something deprecated, and whether it is still called.',
  fields: (t, builder) => ({
    callable: t.expose('callable', { type: callable(builder), description: 'What is deprecated.' }),
    keys: t.exposeInt('keys', { description: 'How many keys have called it.' }),
    calls: t.exposeFloat('calls', { description: 'How often they have.' }),
    lastAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the last call was; null where there was none.',
      resolve: ({ lastAt }) => (lastAt === undefined ? null : new Date(lastAt)),
    }),
  }),
});
