/**
 * SQLite has one writer at a time, so its triggers update the count of the block directly. A block of twice the size is
 * cut in two. The open block is cut when it has the records of a block and some more, so that records with slightly
 * older ids still belong to the open part.
 */
import { type Blocks, blockSize, blocksSql, margin } from './blocks.js';

export const blocksOnSqlite: Blocks = {
  kept: "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'gateway\\_block\\_%\\_insert' ESCAPE '\\'",

  // Whichever block is cut, its lower part gets exactly the size of a block.
  common: `CREATE TRIGGER "gateway_block_cut" AFTER INSERT ON "RecordBlock" BEGIN
  UPDATE "RecordBlock" SET "count" = ${blockSize} WHERE "model" = NEW."model" AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = NEW."model" AND "first" < NEW."first"
  );
END;`,

  of: (model) => `INSERT INTO "RecordBlock" ("model", "first")
  ${blocksSql(model)};
CREATE TRIGGER "gateway_block_${model}_insert" AFTER INSERT ON "${model}" WHEN ${isCounted(model, 'NEW')} OR NEW."rowid" % ${margin} = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND ${isBlockOf(model, 'NEW')};
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT '${model}', (
      SELECT "id" FROM "${model}" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET ${blockSize}
    ), block."count" - ${blockSize}
    FROM "RecordBlock" AS block WHERE ${isBlockOf(model, 'NEW')} AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= ${2 * blockSize}
      WHEN NEW."rowid" % ${margin} = 0 THEN ${blockSize + margin} <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = '${model}' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = '${model}')
    END;
END;
CREATE TRIGGER "gateway_block_${model}_delete" AFTER DELETE ON "${model}" WHEN ${isCounted(model, 'OLD')} BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND ${isBlockOf(model, 'OLD')};
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND ${isBlockOf(model, 'OLD')};
END;
CREATE TRIGGER "gateway_block_${model}_move" AFTER UPDATE OF "id" ON "${model}" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND ${isBlockOf(model, 'OLD')};
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND ${isBlockOf(model, 'NEW')};
END;`,
};

/** Whether the record belongs to a block with a count, which is any but the open one. */
const isCounted = (model: string, row: 'NEW' | 'OLD'): string =>
  `${row}."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = '${model}')`;

/** The condition for the block of a record. */
const isBlockOf = (model: string, row: 'NEW' | 'OLD'): string =>
  `"model" = '${model}' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = '${model}' AND "first" <= ${row}."id"
  )`;
