-- The sequence "gateway_journal_switch" has its own number in the catalogue of this database only while the journal is
-- off, and otherwise another value or none. Until now 0 said "off", and a dump brings a 0 with it: a sequence that was
-- restored from a dump has another number, so the value in the dump never says that the journal is off. While the journal
-- is on, the value stays 1, which statements that began before this migration understand, too.

-- Whether the switch agrees with the row.
CREATE OR REPLACE FUNCTION "gateway_journal_is_settled"() RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT coalesce((pg_sequence_last_value('"gateway_journal_switch"') = '"gateway_journal_switch"'::regclass::oid::bigint) = ("since" IS NULL), false)
  FROM "JournalState" WHERE "id" = 1
$$;

-- Makes it agree. Nobody turns the journal on meanwhile: that takes the lock alone, or at least the row.
CREATE OR REPLACE FUNCTION "gateway_settle_journal"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  "begun" timestamp(3);
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7449363237790906730);
  SELECT "since" INTO "begun" FROM "JournalState" WHERE "id" = 1 FOR SHARE;
  PERFORM setval('"gateway_journal_switch"', CASE WHEN "begun" IS NULL THEN '"gateway_journal_switch"'::regclass::oid::bigint ELSE 1 END);
  RETURN 'settled';
END $$;

-- One expression, which becomes part of the statement that calls it: a function in plpgsql took three times as long.
CREATE OR REPLACE FUNCTION "gateway_journal_is_off"() RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT CASE
    -- Never; the lock comes first.
    WHEN pg_advisory_xact_lock_shared(7449363237790906730) IS NULL THEN false
    WHEN pg_sequence_last_value('"gateway_journal_switch"') = '"gateway_journal_switch"'::regclass::oid::bigint THEN true
    ELSE "gateway_journal_is_off_by_row"()
  END
$$;
