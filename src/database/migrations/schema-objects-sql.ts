/** The statements that list the tables, columns, keys, indexes, triggers, functions and sequences of a database. */

/** Triggers and indexes are kept by SQLite as they were written, tables as they were written and altered. */
export const sqliteObjects = `
  SELECT "type", "name", '', concat_ws(' ', CASE WHEN "wr" THEN 'WITHOUT ROWID' END, CASE WHEN "strict" THEN 'STRICT' END,
    (SELECT 'AUTOINCREMENT' FROM sqlite_schema AS made WHERE made."name" = list."name" AND made."sql" LIKE '% AUTOINCREMENT%'))
  FROM pragma_table_list AS list WHERE "schema" = 'main' AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  UNION ALL
  SELECT 'column', "column"."name", made."name", concat_ws(' ', "column"."type", CASE WHEN "notnull" THEN 'NOT NULL' END,
    'DEFAULT ' || "dflt_value", CASE WHEN "pk" THEN 'PRIMARY KEY ' || "pk" END)
  FROM sqlite_schema AS made, pragma_table_xinfo(made."name") AS "column" WHERE made."type" = 'table'
  UNION ALL
  SELECT 'foreign key', "from", made."name", "table" || '.' || "to" || ' ON DELETE ' || "on_delete" || ' ON UPDATE ' || "on_update"
  FROM sqlite_schema AS made, pragma_foreign_key_list(made."name") WHERE made."type" = 'table'
  UNION ALL
  SELECT "type", "name", "tbl_name", "sql" FROM sqlite_schema WHERE "type" IN ('index', 'trigger') AND "sql" IS NOT NULL`;

/** The session looks in one schema only. */
export const home = '(SELECT "oid" FROM pg_namespace WHERE "nspname" = current_schema())';
export const functionName = `"proname" || '(' || pg_get_function_identity_arguments(pg_proc."oid") || ')'`;

/**
 * Reads only what every role may see. Versions of PostgreSQL print expressions with other casts, spaces, parentheses and
 * quotes, so these are left out.
 */
export const postgresqlObjects = `
  WITH home AS (SELECT ${home} AS "schema"),
  relation AS (SELECT pg_class.* FROM pg_class JOIN home ON "relnamespace" = home."schema")
  SELECT CASE "relkind" WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence' ELSE 'table' END, "relname"::text, '', ''
  FROM relation WHERE "relkind" IN ('r', 'p', 'v', 'S')
  UNION ALL
  SELECT 'column', "attname"::text, "relname"::text, concat_ws(' ', format_type("atttypid", "atttypmod"),
    (SELECT 'COLLATE ' || "collname" FROM pg_collation JOIN pg_type ON pg_type."oid" = "atttypid"
     WHERE pg_collation."oid" = "attcollation" AND "attcollation" <> "typcollation"),
    CASE WHEN "attnotnull" THEN 'NOT NULL' END, 'DEFAULT ' || ${printed('pg_get_expr("adbin", "adrelid")')})
  FROM relation JOIN pg_attribute ON "attrelid" = relation."oid" AND "attnum" > 0 AND NOT "attisdropped"
    LEFT JOIN pg_attrdef ON "adrelid" = "attrelid" AND "adnum" = "attnum" WHERE "relkind" IN ('r', 'p', 'v')
  UNION ALL
  SELECT CASE "contype" WHEN 'p' THEN 'primary key' WHEN 'f' THEN 'foreign key' WHEN 'u' THEN 'unique key' ELSE 'constraint' END,
    "conname"::text, "relname"::text, concat_ws(' ', ${columns('"conrelid"', '"conkey"')}, 'REFERENCES ' || (SELECT "relname" FROM pg_class WHERE pg_class."oid" = "confrelid"),
    ${columns('"confrelid"', '"confkey"')}, NULLIF("confdeltype"::text || "confupdtype"::text, '  '),
    ${printed('pg_get_expr("conbin", "conrelid")')})
  FROM relation JOIN pg_constraint ON "conrelid" = relation."oid" WHERE "contype" IN ('p', 'f', 'u', 'c')
  UNION ALL
  SELECT 'index', relation."relname"::text, made."relname"::text, concat_ws(' ', CASE WHEN "indisunique" THEN 'UNIQUE' END,
    (SELECT string_agg(${printed('pg_get_indexdef("indexrelid", place::integer, true)')}, ', ' ORDER BY place)
     FROM generate_series(1, "indnkeyatts") AS place),
    NULLIF("indoption"::text, array_to_string(array_fill(0, ARRAY["indnkeyatts"::integer]), ' ')),
    'WHERE ' || ${printed('pg_get_expr("indpred", "indrelid")')}, CASE WHEN NOT "indisvalid" THEN 'INVALID' END)
  FROM relation JOIN pg_index ON "indexrelid" = relation."oid" JOIN pg_class AS made ON made."oid" = "indrelid"
  WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE "conindid" = "indexrelid" AND "contype" IN ('p', 'u'))
  UNION ALL
  SELECT 'trigger', "tgname"::text, "relname"::text, ${printed('pg_get_triggerdef(pg_trigger."oid", true)')}
  FROM relation JOIN pg_trigger ON "tgrelid" = relation."oid" WHERE NOT "tgisinternal"
  UNION ALL
  SELECT 'function', ${functionName}, '',
    concat_ws(' ', format_type("prorettype", NULL), "provolatile"::text, CASE WHEN "proisstrict" THEN 'STRICT' END, "prosrc")
  FROM pg_proc JOIN home ON "pronamespace" = home."schema"`;

/**
 * What an operator or a tool has done to a database although records are lost or cannot be written with it: the object of the
 * migrations to which it was done, an object that is none of theirs, a sentence with the statement that mends it, and whether it
 * can be sound. Anything else that was added is left alone.
 */
export const postgresqlHarm = `
  WITH relation AS (SELECT *, quote_ident("relname") AS "quoted", CASE "relkind" WHEN 'S' THEN 'sequence' ELSE 'table' END AS "kind"
    FROM pg_class WHERE "relkind" IN ('r', 'p', 'S') AND "relnamespace" = ${home})
  SELECT "kind" || ' ' || "relname", '', format('The %s %s is UNLOGGED, and a crash of PostgreSQL empties it; run ALTER %s %s SET LOGGED',
    "kind", "relname", upper("kind"), "quoted"), ''
  FROM relation WHERE "relpersistence" = 'u'
  UNION ALL
  SELECT "kind" || ' ' || "relname", '', format('The table %s hides rows from the user %s%s; run ALTER TABLE %s DISABLE ROW LEVEL SECURITY', "relname",
    current_user, CASE WHEN policy."isThere" THEN ', unless a policy lets it read and write all' END, "quoted"),
    CASE WHEN policy."isThere" THEN 'can be sound' ELSE '' END
  FROM relation, LATERAL (SELECT EXISTS (SELECT FROM pg_policy WHERE "polrelid" = relation."oid") AS "isThere") AS policy
  WHERE row_security_active("oid")
  UNION ALL
  SELECT "kind" || ' ' || "relname", '', format('The rule %s of %s changes what statements do; run DROP RULE %s ON %s',
    "rulename", "relname", quote_ident("rulename"), "quoted"), ''
  FROM relation JOIN pg_rewrite ON "ev_class" = relation."oid"
  UNION ALL
  SELECT "kind" || ' ' || "relname", '', format('Triggers or foreign keys of %s are disabled; run ALTER TABLE %s ENABLE TRIGGER %s',
    "relname", "quoted", CASE WHEN bool_or("tgisinternal") THEN 'ALL' ELSE 'USER' END), ''
  FROM relation JOIN pg_trigger ON "tgrelid" = relation."oid" WHERE "tgenabled" NOT IN ('O', 'A')
    AND ("tgisinternal" OR starts_with("tgname"::text, 'gateway_')) GROUP BY 1, "relname", "quoted"
  UNION ALL
  SELECT "kind" || ' ' || "relname", format('column %s of %s', "attname", "relname"),
    format('The column %s of %s must be filled, and the gateway does not know it%s; run ALTER TABLE %s ALTER COLUMN %s DROP NOT NULL',
      "attname", "relname", CASE WHEN filler."isThere" THEN ': does a trigger of yours fill it?' END, "quoted", quote_ident("attname")),
    CASE WHEN filler."isThere" THEN 'can be sound' ELSE '' END
  FROM relation JOIN pg_attribute ON "attrelid" = relation."oid" AND "attnum" > 0 AND NOT "attisdropped"
    JOIN pg_type ON pg_type."oid" = "atttypid", LATERAL (SELECT EXISTS (SELECT FROM pg_trigger WHERE "tgrelid" = relation."oid"
      AND "tgtype" & 7 = 7 AND "tgenabled" IN ('O', 'A') AND NOT starts_with("tgname"::text, 'gateway_')) AS "isThere") AS filler
  WHERE "kind" = 'table' AND "attnotnull" AND NOT "atthasdef" AND "typdefault" IS NULL AND "attidentity" = ''
  UNION ALL
  SELECT 'function ' || ${functionName}, '', format('The function %s does not look in the schema %s (%s); run ALTER FUNCTION %s RESET search_path',
    "proname", current_schema(), "setting", pg_proc."oid"::regprocedure), ''
  FROM pg_proc, unnest("proconfig") AS "setting" WHERE "pronamespace" = ${home} AND starts_with("setting", 'search_path=')
    AND NOT quote_ident(current_schema()) = ANY (regexp_split_to_array(substr("setting", 13), ', *'))`;

function printed(expression: string): string {
  return `regexp_replace(${expression}, '::[a-z ]+(\\(\\d+\\)[a-z ]*)?|[()" ]', '', 'g')`;
}

function columns(table: string, numbers: string): string {
  return `(SELECT string_agg("attname", ', ' ORDER BY place) FROM unnest(${numbers}) WITH ORDINALITY AS key("number", place)
      JOIN pg_attribute ON "attrelid" = ${table} AND "attnum" = "number")`;
}
