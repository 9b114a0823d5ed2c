/** `actOnManyAssetRepairs`: submits, cancels, changes or deletes many records, each by itself, with a result for each. */

import { repetitions } from '../../change/refusals.js';
import { actOnMany, type ManyResult, type ManyResults } from '../../change/writes/act-on-many.js';
import { asked } from '../../change/writes/requested-write.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import { largestBatch, mostLookedThrough } from '../../model/limits.js';
import { isIdOf, type Resource } from '../../model/resource.js';
import type { UserError } from '../../model/selection.js';
import { conditionOf, type Filter } from '../../query/filter.js';
import { withAccess } from '../answered-by-sql.js';
import { type Builder, objectOf, orNull } from '../builder.js';
import { constrained, filterBounds, filterOf } from '../inputs/filters.js';
import { updateInput } from '../inputs/inputs.js';
import { type OwnWeight, weighed } from '../limits/cost-parts.js';
import { selectionIn } from '../operation/selection.js';
import { userErrorsOf } from '../shown-errors/show-error.js';
import { type RecordAction, recordAction, recordActions } from '../types/enums.js';
import { type Refused, userErrorsField } from '../types/payloads.js';
import { addMutationField } from '../types/record-type.js';

export function addActOnMany(builder: Builder, resource: Resource): void {
  const possible = recordActions.filter((action) => resource.operations.includes(action));
  addMutationField(builder, `actOnMany${resource.plural}`, {
    type: () => actOnManyPayload(builder),
    description: `One action on many records of ${resource.title}.`,
    ...withAccess({ resource, isOfAction: true }, weighed(weightOfFilter)),
    args: builder.args((t) => ({
      ids: t.idList(constrained({ maximumLength: largestBatch })),
      where: t.field({ type: filterOf(builder, resource), ...filterBounds }),
      action: t.field({ type: recordAction(builder), required: true, ...constrained({ oneOf: possible }) }),
      input: t.field({ type: updateInput(builder, resource) }),
      validateOnly: t.boolean({ required: true, defaultValue: false }),
      after: t.id(),
    })),
    resolve: async (_, { ids, where, action, input, validateOnly, after }, context, info): Promise<Payload> => {
      const problems = [...problemsOfChoice(ids, where), ...problemsOfAction(action, input)];
      // Any other text would stand before all ids, or behind them: nothing would be done, and that said to be all.
      if (after != null && !isIdOf(resource, after))
        problems.push({ path: ['after'], code: 'parameter_invalid', message: 'must be what `moreAfter` was' });
      if (problems.length > 0) throw errors.badInput(problems);
      const found = await actOnMany(context, resource, {
        chosen: ids ? { ids } : { where: conditionOf(resource, where) },
        after: after ?? undefined,
        writeOf: (id) => asked(resource, action, input ? { id, input } : { id }, context),
        isTried: validateOnly,
        isCounted: selectionIn(info).fields.some(({ name }) => name === 'matching'),
      });
      return {
        ...found,
        results: found.results.map((result) => ({ ...result, userErrors: userErrorsIn(result, context) })),
      };
    },
  });
}

/** What a filter goes through keeps other writers waiting. */
const weightOfFilter: OwnWeight = (given) => (given('where') == null ? 0 : mostLookedThrough);

function problemsOfChoice(ids: readonly string[] | null | undefined, where: Filter | null | undefined): Problem[] {
  if (ids && where) return [{ path: ['where'], code: 'parameter_invalid', message: 'cannot stand beside `ids`' }];
  if (where) return [];
  if (!ids) return [{ path: ['ids'], code: 'parameter_missing', message: 'is required, or `where` in its place' }];
  return repetitions(ids, (index) => ['ids', index]);
}

function problemsOfAction(action: RecordAction, input: object | null | undefined): Problem[] {
  const isUpdate = action === 'update';
  if (isUpdate === Boolean(input)) return [];
  return isUpdate
    ? [{ path: ['input'], code: 'parameter_missing', message: 'is required to UPDATE' }]
    : [{ path: ['input'], code: 'parameter_invalid', message: 'is taken by UPDATE only' }];
}

/** A record that is missing is the one of the result. */
function userErrorsIn({ refusal }: ManyResult, context: Parameters<typeof userErrorsOf>[1]): readonly UserError[] {
  if (!refusal) return [];
  if (refusal.code === 'FORBIDDEN') return [{ code: 'forbidden', path: [], message: refusal.message }];
  const found = userErrorsOf(refusal, context) ?? [];
  return refusal.code === 'NOT_FOUND' ? found.map((each) => ({ ...each, path: [] })) : found;
}

type ShownResult = ManyResult & Refused;

type Payload = Omit<ManyResults, 'results'> & { results: readonly ShownResult[] };

const actionResult = objectOf<ShownResult>('ActionResult', {
  description: 'What became of one of many records.',
  fields: (t, builder) => ({
    recordId: t.exposeID('id', { description: 'Which record.' }),
    done: t.boolean({
      description: 'Whether it was done, or would be with `validateOnly`.',
      resolve: ({ refusal }) => refusal === undefined,
    }),
    version: t.exposeInt(
      'version',
      orNull('Its version now, if it was done. Null for what is gone, and with `validateOnly`.'),
    ),
    userErrors: t.field(userErrorsField(builder)),
  }),
});

const actOnManyPayload = objectOf<Partial<Payload & Refused>>('ActOnManyPayload', {
  description:
    'What became of many records. Those that were refused stay as they were, and the others are done, in one transaction.',
  fields: (t, builder) => ({
    results: t.expose('results', {
      type: [actionResult(builder)],
      ...orNull('One for each record that was looked at, by id. Null where nothing was, with `userErrors`.'),
    }),
    matching: t.exposeInt(
      'matching',
      orNull(`How many of the next ${mostLookedThrough} records there were to act on, before anything was done.`),
    ),
    moreAfter: t.exposeID(
      'moreAfter',
      orNull('What to give as `after`, with all else unchanged, to go on. Null where that was all.'),
    ),
    userErrors: t.field(userErrorsField(builder)),
  }),
});
