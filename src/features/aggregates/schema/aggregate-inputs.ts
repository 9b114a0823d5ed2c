/** What can be measured of records, and by what they can be grouped. */
import { type Builder, perBuilder } from '../../../graphql/builder.js';

export const datePart = perBuilder((builder: Builder) =>
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

export const aggregateMeasure = perBuilder((builder: Builder) =>
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
