/** `StringComparison` and the like: the conditions on one value. */
import type { InputRef } from '@pothos/core';
import { longestPart } from '../../model/limits.js';
import type { Filter } from '../../query/filter.js';
import { textOperators } from '../../query/text-condition.js';
import type { Builder } from '../builder.js';
import { perBuilder } from '../per-builder.js';
import type { Column } from '../types/columns.js';
import { documentStatus } from '../types/document-status.js';
import { constrained } from './constraint.js';

type Comparable = Exclude<Column['type'], 'DocumentStatus'>;

/** The most values in one filter; beyond that a request is better split. */
export const mostOperands = 1000;

const noNull = 'leave it out, or ask with `isNull`';

/** The comparison input of a type. */
export function comparisonOf(builder: Builder, type: Column['type']): InputRef<Filter> {
  return type === 'DocumentStatus' ? statusComparison(builder) : comparisons(builder)[type];
}

const comparisons = perBuilder((builder): Record<Comparable, InputRef<Filter>> => {
  return {
    String: comparison(builder, 'String'),
    ID: comparison(builder, 'ID'),
    Float: comparison(builder, 'Float'),
    Int: comparison(builder, 'Int'),
    Boolean: comparison(builder, 'Boolean'),
    DateTime: comparison(builder, 'DateTime'),
  };
});

/** States have no order, and no parts. */
const statusComparison = perBuilder((builder): InputRef<Filter> => {
  const type = documentStatus(builder);
  const one = constrained({ notNull: noNull });
  const several = constrained({ notNull: noNull, maximumLength: mostOperands });
  return builder.inputType('DocumentStatusComparison', {
    description: 'Conditions on the state of a document; side by side all must hold.',
    fields: (t) => ({
      eq: t.field({ type, description: 'Is in this state.', ...one }),
      ne: t.field({ type, description: 'Is not in this state.', ...one }),
      in: t.field({ type: [type], description: 'Is in one of these states.', ...several }),
      notIn: t.field({ type: [type], description: 'Is in none of these states.', ...several }),
      isNull: t.boolean({ description: 'Whether it has no state; each has one.', ...one }),
    }),
  });
});

function comparison(builder: Builder, type: Comparable): InputRef<Filter> {
  const one = (description: string) => ({ type, description, ...constrained({ notNull: noNull }) });
  const within = (description: string) => ({
    type: 'String' as const,
    description,
    ...constrained({ notNull: noNull, longest: longestPart }),
  });
  const several = (description: string) => ({
    type: [type] as [Comparable],
    description,
    ...constrained({ notNull: noNull, maximumLength: mostOperands }),
  });
  const isOrdered = type !== 'Boolean';
  const order = type === 'String' || type === 'ID' ? ', in the order of the Unicode code points' : '';
  return builder.inputType(`${type}Comparison`, {
    description:
      'Conditions on one value; side by side all must hold. Null equals nothing and is neither less nor greater.',
    fields: (t) => ({
      eq: t.field(one('Equals this.')),
      ne: t.field(one('Does not equal this; also where there is no value.')),
      ...(isOrdered
        ? {
            in: t.field(several(`Equals one of these, ${mostOperands} at most.`)),
            notIn: t.field(several('Equals none of these; also where there is no value.')),
            lt: t.field(one(`Less than this${order}.`)),
            lte: t.field(one(`Less than or equal to this${order}.`)),
            gt: t.field(one(`Greater than this${order}.`)),
            gte: t.field(one(`Greater than or equal to this${order}.`)),
          }
        : {}),
      ...(type === 'String'
        ? {
            contains: t.field(within(`Contains this text of at most ${longestPart} characters somewhere.`)),
            startsWith: t.field(one('Begins with this text.')),
            endsWith: t.field(within(`Ends with this text of at most ${longestPart} characters.`)),
            ignoreCase: t.boolean({
              description:
                'Whether upper and lower case are alike for `contains`, `startsWith` and `endsWith` beside it, in all scripts; they differ where it is left out.',
              ...constrained({ notNull: noNull, besides: textOperators }),
            }),
          }
        : {}),
      isNull: t.boolean({ description: 'Whether there is no value.', ...constrained({ notNull: noNull }) }),
    }),
  });
}
