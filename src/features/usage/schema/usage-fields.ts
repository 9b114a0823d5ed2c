/** Who calls what, for keys with the scope `admin`: who still has to move, and to what. */
import type { RequestContext, UsageHost } from '../../../change/context.js';
import type { Builder } from '../../../graphql/builder.js';
import { withAccess } from '../../../graphql/guards/guard-scopes.js';
import { constrained } from '../../../graphql/inputs/constraint.js';
import { largestPageSize } from '../../../model/limits.js';
import { deprecationReport, usageReport } from '../report.js';
import { apiDeprecation, apiUse, usageSurface } from './usage-types.js';

const byAdministrators = withAccess({ scope: 'admin' });
const late = 'What was called in the last minute may be missing. Needs the scope `admin`.';

export function addUsageFields(builder: Builder): void {
  builder.queryField('apiUses', (t) =>
    t.field({
      type: [apiUse(builder)],
      nullable: true,
      ...byAdministrators,
      description: `Which keys call which endpoints of REST, and use which deprecated parts of the schema: ordered by name, and then by the last call, the latest first. ${late}`,
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
      resolve: (_, { surface, name, keyId, since, onlyDeprecated, ...page }, context) =>
        usageReport(
          context.database,
          hostOf(context),
          {
            surface: surface ?? undefined,
            name: name ?? undefined,
            keyId: keyId ?? undefined,
            since: since ?? undefined,
            onlyDeprecated,
          },
          page,
        ),
    }),
  );

  builder.queryField('apiDeprecations', (t) =>
    t.field({
      type: [apiDeprecation(builder)],
      nullable: true,
      ...byAdministrators,
      description: `Everything that is deprecated, with how often it is still called, also where nobody calls it. ${late}`,
      resolve: (_, _args, context) => deprecationReport(context.database, hostOf(context)),
    }),
  );
}

const nothing: UsageHost = { find: () => undefined, deprecated: [] };

const hostOf = ({ usage }: RequestContext): UsageHost => usage ?? nothing;
