/** How a database maintains its blocks. */
export interface Blocks {
  /** The statement that lists the tables which already have blocks. */
  kept: string;
  /** SQL that all tables share. */
  common: string;
  /** The SQL of one table: its triggers, and blocks for its existing records. */
  of(model: string): string;
}

/** The records of a new block. A page at an offset skips half of them on average, and reads one row for each block. */
export const blockSize = 16_384;

/**
 * The records that stay in the open block when it is cut, so that records with slightly older ids still belong to it.
 */
export const margin = 1024;

/** Selects the rows of `RecordBlock` for a table's existing records, without their counts. */
export const cut = (model: string): string => `SELECT '${model}', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "${model}"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % ${blockSize} = 0) ORDER BY "id"`;
