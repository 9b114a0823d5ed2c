-- CreateTable
CREATE TABLE "JournalEntry" (
    "entry" BIGSERIAL NOT NULL,
    "position" BIGINT,
    "at" TIMESTAMP(3) NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "model" TEXT COLLATE "C" NOT NULL,
    "recordId" TEXT COLLATE "C" NOT NULL,
    "documentModel" TEXT COLLATE "C",
    "documentId" TEXT COLLATE "C" NOT NULL,
    "revision" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "keyName" TEXT COLLATE "C" NOT NULL,
    "requestId" TEXT COLLATE "C" NOT NULL,
    "operation" TEXT COLLATE "C",
    "changes" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "JournalEntry_pkey" PRIMARY KEY ("entry")
);

-- CreateTable
CREATE TABLE "JournalState" (
    "id" INTEGER NOT NULL,
    "since" TIMESTAMP(3),
    "position" BIGINT NOT NULL DEFAULT 0,
    "swept" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "JournalState_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "JournalEntry_documentId_entry_idx" ON "JournalEntry"("documentId", "entry");

-- Readers look for entries by their position, and for those that have none yet.
CREATE UNIQUE INDEX "gateway_journal_position" ON "JournalEntry"("position") WHERE "position" IS NOT NULL;
CREATE INDEX "gateway_journal_unnumbered" ON "JournalEntry"("entry") WHERE "position" IS NULL;

-- The journal begins when a gateway that keeps one starts.
INSERT INTO "JournalState" ("id") VALUES (1);
