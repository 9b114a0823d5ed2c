-- The switch of PostgreSQL's own history, which this profile does not need: every transaction reads the row.
CREATE FUNCTION "gateway_journal_is_settled"() RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT true $$;
CREATE FUNCTION "gateway_settle_journal"() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'settled' $$;
