/** What can be measured of records, and by what they can be grouped. */
import type { InputRef } from '@pothos/core';
import { sortOfRecord } from '../../../graphql/answered-by-sql.js';
import { type Builder, perBuilder, perResource } from '../../../graphql/builder.js';
import { sortFields } from '../../../graphql/inputs/orders.js';
import type { GroupOrder } from '../aggregate.js';
import type { GroupKey } from '../measure.js';

const datePart = perBuilder((builder: Builder) =>
  builder.enumType('DatePart', {
    description:
      'The part of a date by which to group, with which texts that hold dates and instants begin. Instants are in UTC.',
    values: {
      YEAR: { value: 'year', description: 'The first 4 characters, `2026`.' },
      MONTH: { value: 'month', description: 'The first 7 characters, `2026-01`.' },
      DAY: { value: 'day', description: 'The first 10 characters, `2026-01-31`.' },
    } as const,
  }),
);

const aggregateMeasure = perBuilder((builder: Builder) =>
  builder.enumType('AggregateMeasure', {
    description: 'What to sort groups by: what is measured of a field; without it, the key `field`.',
    values: {
      COUNT: { value: 'count', description: 'How many records there are; of the field `ID`.' },
      SUM: { value: 'sum', description: 'A field of numbers, added up.' },
      AVG: { value: 'avg', description: 'A field of numbers, on average.' },
      MIN: { value: 'min', description: 'The least value of a field that holds numbers, dates or instants.' },
      MAX: { value: 'max', description: 'The greatest value of such a field.' },
    } as const,
  }),
);

/**
 * The keys of the groups of an aggregate, and their order: both say what to sort by. A key is a field, or a part of a date; the groups
 * have its order where no other decides, or that of what is measured of it.
 */
export const groupSortOf = perResource(
  (builder, resource): InputRef<GroupKey & GroupOrder> =>
    builder.inputType(`${resource.model}AggregateSort`, {
      description: `A key of groups of ${resource.title}, or what is measured of them, and how to sort by it.`,
      extensions: sortOfRecord(resource),
      fields: (t) => ({
        ...sortFields(builder, t, resource),
        measure: t.field({ type: aggregateMeasure(builder) }),
        by: t.field({ type: datePart(builder) }),
      }),
    }),
);
