-- A number as JSON.stringify writes it, which is how every answer writes it. PostgreSQL's own text has the same digits
-- but for some beyond 2^53, and another form: 1e+15, 1e-05, 1e-07, -0.
CREATE FUNCTION "gateway_number"(x double precision) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  written text := x::text;
  digits numeric;
  shorter numeric;
  exponent integer;
BEGIN
  IF x = 0 THEN
    RETURN '0';
  ELSIF abs(x) < 1e-6 THEN
    RETURN replace(written, 'e-0', 'e-');
  ELSIF abs(x) < 9007199254740992 THEN
    RETURN trim_scale(written::numeric);
  END IF;
  digits := split_part(written, 'e', 1);
  exponent := split_part(written, 'e', 2);
  -- The shortest text may stand just between two numbers, of which it means the even one. PostgreSQL never writes such a
  -- text, and beyond 1e40 there is none of 17 digits.
  IF abs(x) < 1e40 AND scale(digits) > 0 THEN
    shorter := trim_scale(round(digits, scale(digits) - 1));
    IF (shorter || 'e' || exponent)::double precision = x THEN
      digits := shorter;
    END IF;
  END IF;
  IF abs(x) < 1e21 THEN
    RETURN (digits || 'e' || exponent)::numeric;
  ELSIF abs(digits) = 10 THEN
    digits := sign(digits);
    exponent := exponent + 1;
  END IF;
  RETURN digits || 'e+' || exponent;
END $$;
