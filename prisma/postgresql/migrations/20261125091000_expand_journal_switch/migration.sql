-- Whether the journal may be on, where statements that write find it sooner than in the row: 0 only while it is off,
-- otherwise 1, or nothing as long as nobody has looked. A sequence shows its last value at once to all, whatever they
-- see of the tables.
CREATE SEQUENCE "gateway_journal_switch" MINVALUE 0;

CREATE FUNCTION "gateway_switch_journal_on"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM setval('"gateway_journal_switch"', 1);
  RETURN NEW;
END $$;

-- Also processes of an earlier version turn it on.
CREATE TRIGGER "gateway_switch_journal_on" BEFORE UPDATE OF "since" ON "JournalState" FOR EACH ROW
  WHEN (NEW."since" IS NOT NULL) EXECUTE FUNCTION "gateway_switch_journal_on"();

-- Whether the switch is as the row.
CREATE FUNCTION "gateway_journal_is_settled"() RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT coalesce((pg_sequence_last_value('"gateway_journal_switch"') = 0) = ("since" IS NULL), false)
  FROM "JournalState" WHERE "id" = 1
$$;

-- Makes it so. Nobody turns the journal on meanwhile: that takes the lock alone, or at least the row.
CREATE FUNCTION "gateway_settle_journal"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  "begun" timestamp(3);
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7449363237790906730);
  SELECT "since" INTO "begun" FROM "JournalState" WHERE "id" = 1 FOR SHARE;
  PERFORM setval('"gateway_journal_switch"', CASE WHEN "begun" IS NULL THEN 0 ELSE 1 END);
  RETURN 'settled';
END $$;

-- As `gateway_journal_is_off` was before.
CREATE FUNCTION "gateway_journal_is_off_by_row"() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7449363237790906730);
  RETURN (SELECT "since" FROM "JournalState" WHERE "id" = 1) IS NULL;
END $$;

-- One expression, which becomes part of the statement that calls it: a function in plpgsql took three times as long.
CREATE OR REPLACE FUNCTION "gateway_journal_is_off"() RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT CASE
    -- Never; the lock comes first.
    WHEN pg_advisory_xact_lock_shared(7449363237790906730) IS NULL THEN false
    WHEN pg_sequence_last_value('"gateway_journal_switch"') = 0 THEN true
    ELSE "gateway_journal_is_off_by_row"()
  END
$$;
