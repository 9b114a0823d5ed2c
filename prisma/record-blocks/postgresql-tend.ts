/**
 * Maintains the blocks of a table on PostgreSQL, one commit at a time: adds pending changes to the counts, and cuts
 * blocks that are too large.
 *
 * A transaction that writes while the open block is cut may not see the new block, and would not record its change. So
 * new blocks are first announced, and counted only after all transactions have ended that were writing the table when
 * the announcement became visible. From then on, the records of a block and its pending changes differ by the same
 * number in every snapshot.
 *
 * The changes in the open block are deleted without being counted: nobody adds them up before that block is counted, and
 * by then both the record and its change are in the past.
 */
import { blockSize, margin } from './blocks.js';

/** The most blocks that one commit cuts, which takes about 50 ms. */
const most = 16;

/** The most changes by other transactions that one commit adds to the counts, which takes some 60 ms. */
export const mostFolded = 4000;

export const tend = `-- The transactions that write the table at this moment: each keeps its lock until it ends. NULL if they cannot be told:
-- if a prepared transaction is among them, which has no name to wait for, or if the list lacks this one, which is made to
-- hold the same lock. Some engines list no locks, or not those of young transactions.
CREATE FUNCTION "gateway_block_writers"("kind" text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  writers text[];
BEGIN
  EXECUTE format('UPDATE %I SET "id" = "id" WHERE false', "kind");
  SELECT array_agg("virtualtransaction") INTO writers FROM pg_locks
    WHERE "relation" = format('%I', "kind")::regclass AND "mode" = 'RowExclusiveLock'
      AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database())
    HAVING bool_or("pid" = pg_backend_pid()) AND NOT bool_or("virtualtransaction" LIKE '-1/%');
  RETURN writers;
END $$;

-- The records from one id to another that are in no change: visible, less those whose change is.
CREATE FUNCTION "gateway_block_size"("kind" text, "low" text, "high" text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  size integer;
BEGIN
  EXECUTE format('SELECT (SELECT count(*) FROM %I WHERE "id" >= $2 AND "id" < $3) - COALESCE(
    (SELECT sum("change") FROM "RecordBlockChange" WHERE "model" = $1 AND "id" >= $2 AND "id" < $3), 0)', "kind")
    INTO size USING "kind", "low", "high";
  RETURN size;
END $$;

-- "own" is the number of records that this transaction has changed itself.
CREATE FUNCTION "gateway_block_tend"("kind" text, "own" integer DEFAULT 0) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  open text COLLATE "C";
  high text COLLATE "C";
  writing text[];
  block record;
  rest bigint;
BEGIN
  -- Each statement below has to see what was committed before it; the first row of a table's blocks is the lock.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN;
  END IF;
  PERFORM 1 FROM "RecordBlock" WHERE "model" = "kind" AND "first" = '' FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT "first" INTO open FROM "RecordBlock" WHERE "model" = "kind" AND "count" IS NULL AND "announcedBy" IS NULL;

  -- Announced blocks, which are seen by all who begin to write from now on.
  IF EXISTS (SELECT FROM "RecordBlock" WHERE "model" = "kind" AND "announcedBy" IS NOT NULL) THEN
    writing := "gateway_block_writers"("kind");
    FOR high IN
      SELECT "first" FROM "RecordBlock"
        WHERE "model" = "kind" AND NOT "writers"::text[] && writing ORDER BY "first"
    LOOP
      UPDATE "RecordBlock" SET "count" = "gateway_block_size"("kind", open, high) WHERE "model" = "kind" AND "first" = open;
      UPDATE "RecordBlock" SET "announcedBy" = NULL, "writers" = NULL WHERE "model" = "kind" AND "first" = high;
      open := high;
    END LOOP;
    UPDATE "RecordBlock" SET "writers" = writing::text
      WHERE "model" = "kind" AND "writers" IS NULL AND "announcedBy" <> pg_current_xact_id()::text::bigint;
  END IF;

  -- Changes go into the counts; a block without records goes to the one before it.
  WITH gone AS (
    DELETE FROM "RecordBlockChange" WHERE "model" = "kind" AND "id" = ANY (ARRAY(
      SELECT "id" FROM "RecordBlockChange" WHERE "model" = "kind" LIMIT ${mostFolded} + "own" FOR UPDATE SKIP LOCKED
    )) RETURNING "id", "change"
  ), moved AS (
    SELECT (SELECT max("first") FROM "RecordBlock" WHERE "model" = "kind" AND "first" <= "id") AS "first",
      sum("change") AS "change" FROM gone GROUP BY 1
  )
  UPDATE "RecordBlock" SET "count" = "count" + moved."change"
    FROM moved WHERE "model" = "kind" AND "RecordBlock"."first" = moved."first" AND "count" IS NOT NULL
      AND moved."change" <> 0;
  DELETE FROM "RecordBlock" WHERE "model" = "kind" AND "count" = 0 AND "first" <> '';

  -- Blocks that records with lower ids have made too large.
  FOR round IN 1..${most} LOOP
    SELECT "first", "next", "count" INTO block FROM (
      SELECT "first", "count", lead("first") OVER (ORDER BY "first") AS "next" FROM "RecordBlock" WHERE "model" = "kind"
    ) AS blocks WHERE "count" >= ${2 * blockSize} LIMIT 1;
    EXIT WHEN NOT FOUND;
    EXECUTE format('SELECT "id" FROM %I WHERE "id" >= $1 AND "id" < $2 ORDER BY "id" LIMIT 1 OFFSET ${blockSize}', "kind")
      INTO high USING block."first", block."next";
    EXIT WHEN high IS NULL;
    rest := "gateway_block_size"("kind", block."first", high);
    UPDATE "RecordBlock" SET "count" = rest WHERE "model" = "kind" AND "first" = block."first";
    INSERT INTO "RecordBlock" ("model", "first", "count") VALUES ("kind", high, block."count" - rest);
  END LOOP;

  -- The open block, where it is large and not announced to be cut already.
  IF EXISTS (SELECT FROM "RecordBlock" WHERE "model" = "kind" AND "announcedBy" IS NOT NULL) THEN
    RETURN;
  END IF;
  SELECT (SELECT COALESCE(sum("count"), 0) FROM "RecordCount" WHERE "model" = "kind")
    - (SELECT COALESCE(sum("count"), 0) FROM "RecordBlock" WHERE "model" = "kind")
    - (SELECT COALESCE(sum("change"), 0) FROM "RecordBlockChange" WHERE "model" = "kind" AND "id" < open) INTO rest;
  IF rest >= ${blockSize + margin} AND "gateway_block_writers"("kind") IS NOT NULL THEN
    EXECUTE format('INSERT INTO "RecordBlock" ("model", "first", "announcedBy")
      SELECT $1, "id", pg_current_xact_id()::text::bigint FROM (
        SELECT "id", row_number() OVER (ORDER BY "id") - 1 AS place FROM (
          SELECT "id" FROM %I WHERE "id" >= $2 ORDER BY "id" LIMIT least(${most * blockSize + 1}, $3)
        ) AS lowest
      ) AS placed WHERE place > 0 AND place %% ${blockSize} = 0', "kind") USING "kind", open, rest - ${margin - 1};
  END IF;
END $$;`;
