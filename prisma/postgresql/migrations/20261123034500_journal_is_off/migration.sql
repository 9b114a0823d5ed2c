-- Whether nobody keeps the journal, for a statement that writes without an entry: nobody turns the journal on until its
-- transaction ends. A volatile function sees what was committed while it waited for the lock; the statement that calls it
-- would not. The number is the lock in src/journal/journal-state.ts.
CREATE FUNCTION "gateway_journal_is_off"() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7449363237790906730);
  RETURN (SELECT "since" FROM "JournalState" WHERE "id" = 1) IS NULL;
END $$;
