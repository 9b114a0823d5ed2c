/**
 * The entries of a whole plan on SQLite, as one statement that runs before the plan: it selects the stored values under
 * the conditions under which the plan then changes them. No other process writes in between.
 */

import type { Statement } from '../../common/work.js';
import { foreignParents } from '../parent-type.js';
import { mostValues, StatementBuilder } from '../statements/statement-builder.js';
import { conditionsOfOne } from '../statements/update.js';
import type { Step } from '../step.js';
import { insertEntries } from './entry-sql.js';
import type { Journaled, LineDocument } from './journaled.js';
import { partsOf } from './sqlite-parts.js';
import { type Part, raisedSql } from './sqlite-updates.js';

export function* sqliteEntries(journaled: Journaled, steps: readonly Step[]): Generator<Statement> {
  let parts: Part[] = [];
  let size = 0;
  for (const part of partsOf(journaled, steps)) {
    if (parts.length > 0 && size + part.size > mostValues) {
      yield statementOf(journaled, parts);
      [parts, size] = [[], 0];
    }
    parts.push(part);
    size += part.size;
  }
  if (parts.length > 0) yield statementOf(journaled, parts);
}

function statementOf(journaled: Journaled, parts: readonly Part[]): Statement {
  const text = new StatementBuilder('sqlite');
  const withs = journaled.document ? [documentSql(text, journaled.document, journaled.at)] : [];
  for (const [index, part] of parts.entries()) if (part.with) withs.push(part.with(text, `change ${index}`));
  const head = withs.length > 0 ? `WITH ${withs.join(', ')} ` : '';
  const selects = parts.map((part, index) => part.select(text, `change ${index}`));
  return text.statement(`${head}${insertEntries} ${selects.join(' UNION ALL ')}`);
}

/** The document whose lines change, as it will be; no row if it is gone or has another version. */
function documentSql(text: StatementBuilder, document: LineDocument, at: Date): string {
  // Only PostgreSQL changes lines that it has not read.
  const { id = '', resource, version, locked } = document;
  if (!resource) {
    const present = () => `coalesce((SELECT "version" FROM "${foreignParents}" WHERE "id" = ${text.bind(id)}), 0)`;
    const select = `SELECT ${present()} + 1 AS "revision", ${text.bind(at)} AS "time"`;
    const condition = version == null ? '' : ` WHERE ${present()} = ${text.bind(version)}`;
    return `"document" AS MATERIALIZED (${select}${condition})`;
  }
  const { revision, time } = raisedSql(text, resource, at, document);
  const columns = `${revision()} AS "revision", ${time()} AS "time", "updatedAt" AS "last time"`;
  const conditions = conditionsOfOne(text, { raises: true, resource }, { id, values: {}, version, locked }).join(
    ' AND ',
  );
  return `"document" AS MATERIALIZED (SELECT ${columns} FROM "${resource.model}" WHERE ${conditions})`;
}
