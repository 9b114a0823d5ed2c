-- CreateTable
CREATE TABLE "JournalEntry" (
    "entry" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "position" BIGINT,
    "at" DATETIME NOT NULL,
    "action" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "recordId" TEXT NOT NULL,
    "documentModel" TEXT,
    "documentId" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "keyId" TEXT NOT NULL,
    "keyName" TEXT NOT NULL,
    "requestId" TEXT NOT NULL,
    "operation" TEXT,
    "changes" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "JournalState" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "since" DATETIME,
    "position" BIGINT NOT NULL DEFAULT 0,
    "swept" BIGINT NOT NULL DEFAULT 0
);

-- CreateIndex
CREATE INDEX "JournalEntry_documentId_entry_idx" ON "JournalEntry"("documentId", "entry");

-- The journal begins when a gateway that keeps one starts.
INSERT INTO "JournalState" ("id") VALUES (1);
