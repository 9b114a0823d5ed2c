/** `AssetRepairHaving`: conditions on what is measured of a group. `FloatHaving` and the like are shared by all record types. */
import type { InputFieldMap, InputRef } from '@pothos/core';
import type { Builder } from '../../../graphql/builder.js';
import { comparisonOf } from '../../../graphql/inputs/comparisons.js';
import { constrained } from '../../../graphql/inputs/constraint.js';
import { mostAlternatives } from '../../../graphql/inputs/filters.js';
import type { InputFields } from '../../../graphql/inputs/inputs.js';
import { perBuilder, perResource } from '../../../graphql/per-builder.js';
import { type Column, columnsOf } from '../../../graphql/types/columns.js';
import type { Resource } from '../../../model/resource.js';
import type { Filter } from '../../../query/filter.js';

/** The condition on groups of a resource: a field for each that can be measured. */
export const havingOf = perResource(
  (builder, resource: Resource): InputRef<Filter> =>
    builder.inputType(`${resource.model}Having`, {
      description: `Which groups to take of ${resource.title}, by what is measured of them.`,
      fields: (t) => ({
        and: t.field({ type: [havingOf(builder, resource)], ...constrained({ maximumLength: mostAlternatives }) }),
        or: t.field({ type: [havingOf(builder, resource)], ...constrained({ maximumLength: mostAlternatives }) }),
        not: t.field({ type: havingOf(builder, resource) }),
        count: t.field({ type: comparisonOf(builder, 'Int'), description: 'How many records the group has.' }),
        ...conditions(builder, t, resource),
      }),
    }),
);

const conditions = (builder: Builder, t: InputFields, resource: Resource): InputFieldMap =>
  Object.fromEntries(
    columnsOf(resource).flatMap((column) => {
      const type = measuredOf(builder, column);
      return type ? [[column.name, t.field({ type })]] : [];
    }),
  );

/** The conditions on a field; undefined for one that has neither a sum nor an order that says something. */
function measuredOf(builder: Builder, { type, holdsDate }: Column): InputRef<Filter> | undefined {
  if (holdsDate) return measured(builder).Date;
  return type === 'Int' || type === 'Float' || type === 'DateTime' ? measured(builder)[type] : undefined;
}

const measured = perBuilder((builder) => ({
  Int: conditionsOn(builder, 'Int', 'a field of whole numbers', 'Int'),
  Float: conditionsOn(builder, 'Float', 'a field of numbers', 'Float'),
  Date: conditionsOn(builder, 'Date', 'a field of texts that hold dates', 'String'),
  DateTime: conditionsOn(builder, 'DateTime', 'a field of instants', 'DateTime'),
}));

function conditionsOn(
  builder: Builder,
  name: string,
  title: string,
  type: 'Int' | 'Float' | 'String' | 'DateTime',
): InputRef<Filter> {
  const isAdded = type === 'Int' || type === 'Float';
  const [value, sum] = [comparisonOf(builder, type), comparisonOf(builder, 'Float')];
  return builder.inputType(`${name}Having`, {
    description: `Conditions on what is measured of ${title} in a group; side by side all must hold.`,
    fields: (t) => ({
      ...(isAdded && {
        sum: t.field({ type: sum, description: 'What the values add up to.' }),
        avg: t.field({ type: sum, description: 'The average of the values.' }),
      }),
      min: t.field({ type: value, description: 'The least of the values.' }),
      max: t.field({ type: value, description: 'The greatest of the values.' }),
    }),
  });
}
