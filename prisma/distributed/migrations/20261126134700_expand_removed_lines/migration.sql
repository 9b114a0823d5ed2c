-- The document that a line was deleted from: few entries are deletions of lines, and others cost nothing.
DROP INDEX CONCURRENTLY IF EXISTS "gateway_journal_removed_line";
CREATE INDEX CONCURRENTLY "gateway_journal_removed_line" ON "JournalEntry"("recordId")
  WHERE "action" = 'delete' AND "recordId" <> "documentId";
