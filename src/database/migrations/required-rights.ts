/** The rights that serving takes. Without one of them a start goes well, and later each request that takes it fails. */
import { readOnlyError } from '../database-problem.js';
import type { Database } from '../open-database.js';
import { migrationsFolder } from './migration-history.js';
import { functionName, home, titlesIn } from './schema-objects.js';

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
export async function requireRights({ provider, read }: Pick<Database, 'provider' | 'read'>): Promise<void> {
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
