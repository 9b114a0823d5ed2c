/**
 * Whether a database has what its migrations make. `objects.txt` beside the migrations lists it; a test writes and compares
 * that file. What a database has besides, such as an index or a view of its operator, is left alone.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseStartError, readOnlyError } from '../database-problem.js';
import type { Read, Rows } from '../direct-access.js';
import { type AppliedMigration, migrationsFolder, type Provider, readMigrations } from './migration-history.js';

/** A connection to a database that can be compared. */
interface Compared {
  provider: Provider;
  query(sql: string): Promise<{ rows: Rows }>;
  applied(): Promise<AppliedMigration[]>;
}

export interface SchemaComparison {
  /**
   * A sentence about each object of the migrations that the database lacks, or has otherwise. Undefined for a database that
   * later migrations than these have changed, or of an engine that describes objects in its own way.
   */
  differing: string[] | undefined;
  /** A sentence about each thing with which records may be lost or refused, but need not. */
  risks: string[];
}

/** Compares a database with what the migrations in `folder` make. */
export async function compareSchema(connection: Compared, folder: string): Promise<SchemaComparison> {
  const { harm, risks } = await harmOf(connection, folder);
  const wanted = listedIn(folder).map(parts);
  const there = new Map((await objectsOf(connection)).map(parts));
  // Read last: a later version may be migrating meanwhile.
  const known = new Set(readMigrations(folder).map(({ name }) => name));
  if (there.size === 0 || (await connection.applied()).some(({ name }) => !known.has(name)))
    return { differing: undefined, risks };
  const gone = wanted.filter(([title]) => title.startsWith('table ') && !there.has(title));
  const ofGone = gone.map(([title]) => ofTable(title.slice('table '.length)));
  const differences = wanted.flatMap(([title, definition]) => {
    const found = there.get(title);
    if (found === definition || ofGone.some((end) => title.endsWith(end))) return [];
    if (found === undefined) return [`The ${title} is missing`];
    const values = found.startsWith(digest) ? '' : `: it is ${found || 'plain'}, not ${definition || 'plain'}`;
    return [`The ${title} is not as the migrations make it${values}`];
  });
  return { differing: [...differences, ...harm], risks };
}

/**
 * The migrations that a database has. @throws DatabaseStartError if it has none although most of its tables are those of
 * `folder`: a restore writes the rows of tables last
 */
export async function appliedOrRefuse(compared: Compared, folder: string): Promise<AppliedMigration[]> {
  const applied = await compared.applied();
  if (applied.length > 0) return applied;
  const tables = (titles: string[]) => titles.filter((title) => /^table (?!_prisma_)/.test(title));
  const wanted = new Set(tables(listedIn(folder)));
  const there = tables(await objectsOf(compared));
  if (there.filter((table) => wanted.has(table)).length * 2 <= there.length) return applied;
  // Another gateway may have migrated meanwhile. It commits tables and migrations together, so now both are there.
  const since = await compared.applied();
  if (since.length === 0) {
    throw new DatabaseStartError(
      'The database has tables of the gateway, but no note of its migrations: it was restored, and that not to the end. ' +
        'Restore it again, into an empty database.',
    );
  }
  return since;
}

type Described = Omit<Compared, 'applied'>;

/** The objects of a database as sorted lines; none where its engine describes them in its own way. */
export async function objectsOf(described: Described): Promise<string[]> {
  if (described.provider === 'sqlite') return lines(await ask(described, sqliteObjects));
  return (await isPostgresql(described)) ? lines(await ask(described, postgresqlObjects)) : [];
}

/** What was done to a database with which records are lost or refused, and with which they may be, but need not. */
async function harmOf(described: Described, folder: string): Promise<{ harm: string[]; risks: string[] }> {
  if (described.provider === 'sqlite' || !(await isPostgresql(described))) return { harm: [], risks: [] };
  const titles = titlesIn(folder);
  const found = (await ask(described, postgresqlHarm)).filter(
    ([object, foreign]) => titles.has(String(object)) && !titles.has(String(foreign)),
  );
  const sentences = (soundness: string) =>
    found.filter((row) => row[3] === soundness).map(([, , sentence]) => String(sentence));
  return { harm: sentences(''), risks: sentences('can be sound') };
}

async function isPostgresql(described: Described): Promise<boolean> {
  const [version] = await ask(described, 'SELECT version()');
  return String(version?.[0]).startsWith('PostgreSQL ');
}

const ask = async ({ query }: Described, sql: string) => (await query(sql)).rows;

const lines = (rows: Rows): string[] =>
  rows
    .map(([kind, name, table, definition]) => [`${kind} ${name}${table ? ofTable(table) : ''}`, short(definition)])
    .map((parts) => parts.filter(Boolean).join(': '))
    .sort();

function listedIn(folder: string): string[] {
  const file = join(folder, 'objects.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** The names of what the migrations make, such as `table Webhook`. */
export const titlesIn = (folder: string): ReadonlySet<string> =>
  new Set(listedIn(folder).map((line) => parts(line)[0]));

const ofTable = (table: unknown): string => ` of ${table}`;

function parts(line: string): [title: string, definition: string] {
  const [title = '', ...definition] = line.split(': ');
  return [title, definition.join(': ')];
}

const digest = 'SHA-256 ';

/** A digest in the place of a text that is too long to be read in a list. */
function short(definition: unknown): string {
  const text = String(definition).replaceAll(/\s+/g, ' ').trim();
  return text.length <= 100 ? text : `${digest}${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

// The statements that list the tables, columns, keys, indexes, triggers, functions and sequences of a database.

/** Triggers and indexes are kept by SQLite as they were written, tables as they were written and altered. */
const sqliteObjects = `
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
const postgresqlObjects = `
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
const postgresqlHarm = `
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

// The rights that serving takes. Without one of them a start goes well, and later each request that takes it fails.

/** The objects on which the role lacks rights, as `objects.txt` calls them, and these rights. */
const lacking = `
  SELECT "title", string_agg("right", ', ') FROM (
    SELECT CASE "relkind" WHEN 'S' THEN 'sequence ' ELSE 'table ' END || "relname" AS "title", "right",
      CASE "relkind" WHEN 'S' THEN has_sequence_privilege(pg_class."oid", "right")
        ELSE has_table_privilege(pg_class."oid", "right") END AS "isGiven"
    FROM pg_class, unnest(CASE WHEN "relkind" = 'S' THEN ARRAY['USAGE', 'SELECT', 'UPDATE']
      WHEN "relname" = '_prisma_migrations' THEN ARRAY['SELECT'] ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END) AS "right"
    WHERE "relkind" IN ('r', 'p', 'S') AND "relnamespace" = ${home}
    UNION ALL
    SELECT 'function ' || ${functionName}, 'EXECUTE',
      has_function_privilege(pg_proc."oid", 'EXECUTE') FROM pg_proc WHERE "pronamespace" = ${home}
  ) AS "asked" WHERE NOT "isGiven" GROUP BY "title" ORDER BY "title"`;

/** @throws Error of PostgreSQL's code for what cannot be written, or for a right that is missing on an object of the migrations */
export async function requireRights({
  provider,
  read,
}: Pick<Compared, 'provider'> & { read?: Read | undefined }): Promise<void> {
  if (provider === 'sqlite' || !read) return;
  const [[isReadOnly] = []] = await read("SELECT current_setting('transaction_read_only')", [], 'bounded');
  if (isReadOnly === 'on') throw readOnlyError();
  const ours = titlesIn(migrationsFolder('postgresql'));
  const found = (await read(lacking, [], 'bounded')).filter(([title]) => ours.has(String(title)));
  if (found.length === 0) return;
  const named = found.slice(0, 2).map(([title, rights]) => `${title} (${rights})`);
  const further = found.length > named.length ? `, and for ${found.length - named.length} more` : '';
  throw Object.assign(new Error(`permission denied for ${named.join(', ')}${further}`), { code: '42501' });
}
