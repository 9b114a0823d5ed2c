/** Finds the record at an offset of all records, by the counts that the database maintains for blocks of ids. */
import type { Resource } from '../../model/resource.js';
import type { BoundValue, SqlBuilder } from '../sql/statement.js';

/** Up to this offset, skipping rows is faster than reading the blocks. */
const fewSkipped = 1000;

/**
 * Two common table expressions: `counted(total)` and `place(first, skipped)`. `place` is the block that contains the
 * record at this offset, and the number of its records with lower ids; it is empty if the list ends before the offset.
 * Reads one row for each block. Nothing is added to the offset, because it may be the largest integer.
 */
export function offsetBlockSql({ bind }: SqlBuilder, { model }: Resource, offset: BoundValue, total: string): string {
  const skipped = bind(offset);
  // Announced blocks are not used yet. A pending change of a block sorts after the block's own row.
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
 * The id of the record at the offset, or NULL. The newest block is searched from its nearer end, any other from its
 * start. The CASE keeps the unused branch from being evaluated, because its offset could be negative.
 */
export function idAtOffset({ bind, table }: SqlBuilder, { model }: Resource, offset: BoundValue): string {
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
