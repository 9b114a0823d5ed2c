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

/**
 * Reads only what every role may see. Versions of PostgreSQL print expressions with other casts, spaces, parentheses and
 * quotes, so these are left out. Lists the schema in which the table of migrations is.
 */
export const postgresqlObjects = `
  WITH home AS (SELECT "relnamespace" AS "schema" FROM pg_class WHERE "oid" = to_regclass('_prisma_migrations')),
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
    ${printed('pg_get_expr("conbin", "conrelid")')},
    (SELECT DISTINCT 'DISABLED' FROM pg_trigger WHERE "tgconstraint" = pg_constraint."oid" AND "tgenabled" NOT IN ('O', 'A')))
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
  SELECT 'trigger', "tgname"::text, "relname"::text, concat_ws(' ', ${printed('pg_get_triggerdef(pg_trigger."oid", true)')},
    CASE WHEN "tgenabled" NOT IN ('O', 'A') THEN 'DISABLED' END)
  FROM relation JOIN pg_trigger ON "tgrelid" = relation."oid" WHERE NOT "tgisinternal"
  UNION ALL
  SELECT 'function', "proname" || '(' || pg_get_function_identity_arguments(pg_proc."oid") || ')', '',
    concat_ws(' ', format_type("prorettype", NULL), "provolatile"::text, "prosrc")
  FROM pg_proc JOIN home ON "pronamespace" = home."schema"`;

function printed(expression: string): string {
  return `regexp_replace(${expression}, '::[a-z ]+(\\(\\d+\\)[a-z ]*)?|[()" ]', '', 'g')`;
}

function columns(table: string, numbers: string): string {
  return `(SELECT string_agg("attname", ', ' ORDER BY place) FROM unnest(${numbers}) WITH ORDINALITY AS key("number", place)
      JOIN pg_attribute ON "attrelid" = ${table} AND "attnum" = "number")`;
}
