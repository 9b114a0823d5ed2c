-- The document that a line was deleted from: few entries are deletions of lines, and others cost nothing.
CREATE INDEX "gateway_journal_removed_line" ON "JournalEntry"("recordId")
  WHERE "action" = 'delete' AND "recordId" <> "documentId";
