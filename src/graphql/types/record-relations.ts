/** The relations of a record: to its parent and to its lines. */

import { pastParentOf } from '../../features/history/past/matches.js';
import { pastLines } from '../../features/history/past/past-lines.js';
import { largestPageSize } from '../../model/limits.js';
import type { Lines, Parent } from '../../model/resource.js';
import { largestInt32 } from '../../model/storable.js';
import { whereOf } from '../../query/filter.js';
import { byPosition, prismaOrderOf } from '../../query/keyset.js';
import { keysOf } from '../../query/sort.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { constrained } from '../inputs/constraint.js';
import { listArguments } from '../inputs/list-arguments.js';
import { perBuilder } from '../per-builder.js';
import type { RecordFields } from './record-type.js';

export const parentField = (t: RecordFields, parent: Parent) => {
  const { resource, field, link } = parent;
  return t.relation(field, {
    extensions: answeredBySql({ kind: 'parent', parent }),
    description: link
      ? `The ${resource.title} this line belongs to; null where \`parentId\` names no ${resource.title}.`
      : `The ${resource.title} this line belongs to.`,
    past: (row) => pastParentOf(parent, row) ?? null,
  });
};

export const linesField = (builder: Builder, t: RecordFields, lines: Lines) => {
  const { resource, field } = lines;
  return t.relation(field, {
    extensions: answeredBySql({ kind: 'lines', lines }, ['where', 'orderBy', 'limit', 'offset']),
    args: { ...listArguments(builder, resource), ...sliceArguments(builder) },
    query: ({ where, orderBy, limit, offset }) => {
      const taken = limit ?? undefined;
      const skipped = offset ?? 0;
      const keys = keysOf(resource, orderBy, byPosition);
      const sorted = { orderBy: prismaOrderOf(keys, false) };
      if (!where && keys === byPosition) return { ...sorted, where: placesOf(taken, skipped) };
      return { ...sorted, ...(where ? { where: whereOf(resource, where) } : {}), take: taken, skip: skipped };
    },
    past: (row, args) => pastLines(lines, row, args),
  });
};

/**
 * A slice of the lines as a range of `idx`: lines are numbered 1…n. With `take` and `skip`, Prisma would read all lines
 * of every parent and cut the slices in memory.
 */
function placesOf(taken: number | undefined, skipped: number): object {
  if (taken === undefined) return skipped === 0 ? {} : { idx: { gt: skipped } };
  return { idx: { gt: skipped, lte: Math.min(skipped + taken, largestInt32) } };
}

const sliceArguments = perBuilder((builder) =>
  builder.args((t) => ({
    limit: t.int(constrained({ minimum: 1, maximum: largestPageSize })),
    offset: t.int(constrained({ minimum: 0 })),
  })),
);
