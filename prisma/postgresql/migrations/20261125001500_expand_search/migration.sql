-- CreateTable
CREATE TABLE "SearchText" (
    "id" BIGSERIAL NOT NULL,
    "model" TEXT COLLATE "C" NOT NULL,
    "documentId" TEXT COLLATE "C" NOT NULL,
    "recordId" TEXT COLLATE "C" NOT NULL,
    "words" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SearchText_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SearchWord" (
    "model" TEXT COLLATE "C" NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,
    "textId" BIGINT NOT NULL,

    CONSTRAINT "SearchWord_pkey" PRIMARY KEY ("model","word","textId")
);

-- CreateTable
CREATE TABLE "SearchState" (
    "model" TEXT COLLATE "C" NOT NULL,
    "upTo" TEXT COLLATE "C" NOT NULL,
    "isComplete" BOOLEAN NOT NULL,

    CONSTRAINT "SearchState_pkey" PRIMARY KEY ("model")
);

-- CreateIndex
CREATE UNIQUE INDEX "SearchText_documentId_recordId_key" ON "SearchText"("documentId", "recordId");

-- Keeps the words with the texts they are of
CREATE FUNCTION "gateway_search_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM "SearchWord" WHERE "model" = OLD."model" AND "textId" = OLD."id"
      AND "word" = ANY (ARRAY(SELECT json_array_elements_text(OLD."words"::json)));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "SearchWord" ("model", "word", "textId")
      SELECT NEW."model", "value", NEW."id" FROM json_array_elements_text(NEW."words"::json) AS "new" ("value");
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "gateway_search_insert" AFTER INSERT ON "SearchText" FOR EACH ROW EXECUTE FUNCTION "gateway_search_changed"();
CREATE TRIGGER "gateway_search_update" AFTER UPDATE OF "words" ON "SearchText" FOR EACH ROW EXECUTE FUNCTION "gateway_search_changed"();
CREATE TRIGGER "gateway_search_delete" AFTER DELETE ON "SearchText" FOR EACH ROW EXECUTE FUNCTION "gateway_search_changed"();
