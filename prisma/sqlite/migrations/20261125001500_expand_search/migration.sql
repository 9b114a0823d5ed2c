-- CreateTable
CREATE TABLE "SearchText" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "model" TEXT NOT NULL,
    "documentId" TEXT NOT NULL,
    "recordId" TEXT NOT NULL,
    "words" TEXT NOT NULL
);

-- CreateTable
-- Without row ids each word is stored once and not in a table and its index.
CREATE TABLE "SearchWord" (
    "model" TEXT NOT NULL,
    "word" TEXT NOT NULL,
    "textId" BIGINT NOT NULL,

    PRIMARY KEY ("model", "word", "textId")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "SearchState" (
    "model" TEXT NOT NULL PRIMARY KEY,
    "upTo" TEXT NOT NULL,
    "isComplete" BOOLEAN NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "SearchText_documentId_recordId_key" ON "SearchText"("documentId", "recordId");

-- Keeps the words with the texts they are of
CREATE TRIGGER "gateway_search_insert" AFTER INSERT ON "SearchText" BEGIN
  INSERT INTO "SearchWord" ("model", "word", "textId") SELECT NEW."model", "value", NEW."id" FROM json_each(NEW."words");
END;
CREATE TRIGGER "gateway_search_update" AFTER UPDATE OF "words" ON "SearchText" BEGIN
  DELETE FROM "SearchWord" WHERE "model" = OLD."model" AND "textId" = OLD."id" AND "word" IN (
    SELECT "value" FROM json_each(OLD."words") EXCEPT SELECT "value" FROM json_each(NEW."words")
  );
  INSERT INTO "SearchWord" ("model", "word", "textId") SELECT NEW."model", "value", NEW."id" FROM (
    SELECT "value" FROM json_each(NEW."words") EXCEPT SELECT "value" FROM json_each(OLD."words")
  );
END;
CREATE TRIGGER "gateway_search_delete" AFTER DELETE ON "SearchText" BEGIN
  DELETE FROM "SearchWord" WHERE "model" = OLD."model" AND "textId" = OLD."id"
    AND "word" IN (SELECT "value" FROM json_each(OLD."words"));
END;
