/**
 * The indexes of texts that name records, and of those by which records are named: a link and its way back must not cost
 * more in a larger table. They are part of the migrations, so a new link gets its indexes from `npm run migration`. Only
 * texts that are short enough to name a record are in them: others cost no write, and PostgreSQL could not hold them.
 */

import type { MigrationConnection } from '../src/database/migrations/migrate.js';
import type { Provider } from '../src/database/migrations/migration-history.js';
import { datamodel } from '../src/generated/datamodel.js';
import { catalogue } from '../src/model/catalogue.js';
import { createResources } from '../src/model/create-resources.js';
import { isShortSql, type Resource } from '../src/model/resource.js';

/** The SQL that adds the indexes that the database behind `connection` lacks; '' if none is missing. */
export async function missingLinkIndexes(connection: MigrationConnection): Promise<string> {
  const { rows } = await connection.query(indexNames[connection.provider]);
  const there = new Set(rows.map(([name]) => String(name)));
  const statements = linkColumns(createResources(datamodel, catalogue))
    .map(({ model, column }) => ({ model, column, name: `gateway_${model}_${column}` }))
    .filter(({ name }) => !there.has(name))
    .map(({ model, column, name }) =>
      create[connection.provider](
        name,
        `ON "${model}"("${column}", "id")
  WHERE ${isShortSql(`"${column}"`)};`,
      ),
    );
  return statements.length === 0 ? '' : ['-- Texts that name records', ...statements].join('\n');
}

/** On PostgreSQL beside writers, which may be interrupted and begun again. */
const create: Record<Provider, (name: string, definition: string) => string> = {
  sqlite: (name, definition) => `CREATE INDEX "${name}" ${definition}\n`,
  postgresql: (name, definition) =>
    `DROP INDEX CONCURRENTLY IF EXISTS "${name}";\nCREATE INDEX CONCURRENTLY "${name}" ${definition}\n`,
};

const indexNames: Record<Provider, string> = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'index'",
  postgresql: 'SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema()',
};

/** The columns that are looked up by a text: those that name a record, and those by which records are named. */
function linkColumns(resources: readonly Resource[]): { model: string; column: string }[] {
  const columns = resources.flatMap(({ model, links }) =>
    links.flatMap(({ text, resource, by }) => [
      { model, column: text },
      ...(by === 'id' ? [] : [{ model: resource.model, column: by }]),
    ]),
  );
  const key = ({ model, column }: { model: string; column: string }) => `${model}.${column}`;
  return [...new Map(columns.map((each) => [key(each), each])).values()];
}
