/** The records of a new block. A page at an offset skips half of them on average, and reads one row for each block. */
export const blockSize = 16_384;

/** Selects the rows of `RecordBlock` for a table's existing records, without their counts. */
export const blocksSql = (model: string): string => `SELECT '${model}', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "${model}"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % ${blockSize} = 0) ORDER BY "id"`;
