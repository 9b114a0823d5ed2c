/** Where an offset of all records leads to: the database keeps how many of them there are in each block of their ids. */
import type { Resource } from '../model/resource.js';
import type { Bound, Writing } from './statement.js';

/** Records that are sooner walked over than the blocks are asked for. */
const fewSkipped = 1000;

/**
 * Two common tables, `counted(total)` and `place(first, skipped)`: the block in which the record at this offset is, and the
 * number of its records that go before it, from the lowest id. No place where the list ends before it. One row a block is
 * read. Nothing is added to what a request gives: it may be the largest integer.
 */
export function placeSql({ bind }: Writing, { model }: Resource, offset: Bound, total: string): string {
  const skipped = bind(offset);
  // A block that is only announced is none yet. A change of the records in a block comes behind the block's beginning.
  return `counted(total) AS ${total}, place(first, skipped) AS (
      SELECT first, total - ${skipped} - 1 - below FROM counted, (
        SELECT "first", "isBlock", coalesce(sum("count") OVER (
          ORDER BY "first", "isBlock" DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS below
        FROM (
          SELECT "first", 1 AS "isBlock", "count" FROM "RecordBlock" WHERE "model" = '${model}' AND "announcedBy" IS NULL
          UNION ALL SELECT "id", 0, "change" FROM "RecordBlockChange" WHERE "model" = '${model}'
        ) AS counts
      ) AS blocks
      WHERE "isBlock" = 1 AND below < total - ${skipped} ORDER BY first DESC LIMIT 1
    )`;
}

/**
 * The id at the place, or NULL where there is none. The newest block is walked from its nearer end, any other from its
 * beginning. Neither side is read unless its condition holds, for an offset must not be negative.
 */
export function idAt({ bind, table }: Writing, { model }: Resource, offset: Bound): string {
  const [newest, oldest] = [table(), table()];
  const skipped = bind(offset);
  return `(CASE
      WHEN ${skipped} <= ${fewSkipped} OR ${skipped} < (SELECT skipped FROM place) THEN (
        SELECT ${newest}."id" FROM "${model}" AS ${newest} ORDER BY ${newest}."id" DESC LIMIT 1 OFFSET ${skipped}
      )
      WHEN EXISTS (SELECT 1 FROM place) THEN (
        SELECT ${oldest}."id" FROM "${model}" AS ${oldest} WHERE ${oldest}."id" >= (SELECT first FROM place)
        ORDER BY ${oldest}."id" LIMIT 1 OFFSET (SELECT skipped FROM place)
      )
    END)`;
}
