/** The stored counts from which totals and offsets are found (docs/how-records-are-stored.md). */

import { counted as shown } from '../../common/output.js';
import { profileOf } from '../../database/database-url.js';
import { type Inspection, inspect } from '../../database/inspection.js';
import type { Check } from '../../gateway/feature.js';
import type { Resource } from '../../model/resource.js';

const counted = (resources: readonly Resource[]) => resources.filter(({ kind }) => kind === 'resource');

export const counts: Check = {
  holds: 'counts are exact',
  problems: async (inspection, resources) => {
    const found: string[] = [];
    for (const { model } of counted(resources)) {
      const { count, stored } = await countOf(inspection, model);
      if (count !== stored) found.push(`${model} has ${shown(count, 'record')}, but the count is ${stored}`);
      const [ends] = await inspection.rows(endsOfBlocks(model));
      if (ends?.[0] !== '' || ends[1] !== null) found.push(`Blocks of ${model} are missing`);
      for (const [first] of await inspection.rows(wrongBlocks(model))) {
        found.push(`The block of ${model} that begins at ${JSON.stringify(first)} has another count`);
      }
    }
    return found;
  },
  async mend(url, resources) {
    // The profile `distributed` keeps no counts.
    if (profileOf(url) === 'distributed') return;
    for (const { model } of counted(resources)) await inspect(url, true, (inspection) => countAnew(inspection, model));
  },
};

async function countOf({ rows }: Inspection, model: string): Promise<{ count: number; stored: number }> {
  const [row] = await rows(
    `SELECT (SELECT count(*) FROM "${model}"),
       (SELECT coalesce(sum("count"), 0) FROM "RecordCount" WHERE "model" = '${model}')`,
  );
  return { count: Number(row?.[0]), stored: Number(row?.[1]) };
}

/** The id with which the first block begins, '', and the count of the last one, which is open and has none. */
const endsOfBlocks = (model: string): string => `
  SELECT min("first"), (SELECT "count" FROM "RecordBlock" WHERE "model" = '${model}' AND "announcedBy" IS NULL
    ORDER BY "first" DESC LIMIT 1) FROM "RecordBlock" WHERE "model" = '${model}' AND "announcedBy" IS NULL`;

/** The blocks whose stored count differs from the number of their records. */
const wrongBlocks = (model: string): string => `
  SELECT "first" FROM (
    SELECT "first", "count", lead("first") OVER (ORDER BY "first") AS "next" FROM "RecordBlock"
    WHERE "model" = '${model}' AND "announcedBy" IS NULL
  ) AS block WHERE "count" IS NOT NULL AND "next" IS NOT NULL AND "count"
    + (SELECT coalesce(sum("change"), 0) FROM "RecordBlockChange"
       WHERE "model" = '${model}' AND "id" >= block."first" AND "id" < block."next")
    <> (SELECT count(*) FROM "${model}" WHERE "id" >= block."first" AND "id" < block."next")`;

/** Counts all records of a type again. They must not be written meanwhile. */
async function countAnew(inspection: Inspection, model: string): Promise<void> {
  const { rows, provider } = inspection;
  if (provider === 'postgresql') await rows(`LOCK TABLE "${model}", "RecordBlock" IN SHARE ROW EXCLUSIVE MODE`);
  const { count } = await countOf(inspection, model);
  await rows(`UPDATE "RecordCount" SET "count" = 0 WHERE "model" = '${model}'`);
  await rows(
    `INSERT INTO "RecordCount" ("model", "shard", "count") VALUES ('${model}', 0, ${count})
       ON CONFLICT ("model", "shard") DO UPDATE SET "count" = excluded."count"`,
  );
  await rows(`DELETE FROM "RecordBlockChange" WHERE "model" = '${model}'`);
  await rows(`DELETE FROM "RecordBlock" WHERE "model" = '${model}'`);
  await rows(`INSERT INTO "RecordBlock" ("model", "first") ${blocksSql(model)}`);
  await rows(
    `UPDATE "RecordBlock" SET "count" = ${blockSize} WHERE "model" = '${model}'
       AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = '${model}')`,
  );
}

/** The records of a new block. A page at an offset skips half of them on average, and reads one row for each block. */
export const blockSize = 16_384;

/** Selects the rows of `RecordBlock` for a table's existing records, without their counts. */
export const blocksSql = (model: string): string => `SELECT '${model}', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "${model}"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % ${blockSize} = 0) ORDER BY "id"`;
