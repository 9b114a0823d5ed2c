/** How one database keeps its blocks. */
export interface Blocks {
  /** The statement that names the tables which have blocks already. */
  kept: string;
  /** What all tables have in common. */
  common: string;
  /** What one table needs, with the blocks of the records it has by now. */
  of(model: string): string;
}

/** Records of a new block. A page at an offset walks over half of them on average, and reads a row for each block. */
export const blockSize = 16_384;

/** Records that stay in the open block when it is cut: those that come a little late still fall into it. */
export const margin = 1024;

/** Rows of `RecordBlock` for the records a table has by now, without their counts. */
export const cut = (model: string): string => `SELECT '${model}', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "${model}"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % ${blockSize} = 0) ORDER BY "id"`;
