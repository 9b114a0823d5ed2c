-- Locks that the profile `distributed` does without have names there too: these functions take them, those of the profile
-- do nothing. The number is that of gateway_journal_is_off.
CREATE FUNCTION "gateway_share_journal"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7449363237790906730);
  RETURN 'shared';
END $$;

CREATE FUNCTION "gateway_claim_journal"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7449363237790906730);
  RETURN 'claimed';
END $$;

CREATE FUNCTION "gateway_claim_uses"() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  LOCK TABLE "ApiUse" IN SHARE ROW EXCLUSIVE MODE;
  RETURN 'claimed';
END $$;
