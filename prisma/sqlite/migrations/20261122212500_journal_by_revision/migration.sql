-- The history of a document is read by its revisions.
-- DropIndex
DROP INDEX "JournalEntry_documentId_entry_idx";

-- CreateIndex
CREATE INDEX "JournalEntry_documentId_revision_idx" ON "JournalEntry"("documentId", "revision");
