/**
 * A DELETE on PostgreSQL that also writes the entries of the deleted records and of their lines. The lines are read as they
 * were when the statement began; if a record has changed since, because the statement waited for another writer, it is not
 * deleted, and the whole mutation is repeated.
 */

import type { Resource } from '../../model/resource.js';
import type { StatementBuilder } from '../statements/statement-builder.js';
import { isUnchanged, removeConditions } from '../statements/step-conditions.js';
import type { Remove } from '../step.js';
import { recordSql } from './changes-sql.js';
import { insertEntries, selectEntries } from './entry-sql.js';
import { type Journaled, lineSource } from './journaled.js';

/** Returns the ids and versions of the deleted records. */
export function removeWithEntries(text: StatementBuilder, journaled: Journaled, step: Remove): string {
  const { model, kind, lines } = step.resource;
  const conditions = [removeConditions(text, step)];
  if (lines.length > 0) conditions.push(isUnchanged(model));
  const gone = `"gone" AS (DELETE FROM "${model}" WHERE ${conditions.join(' AND ')} RETURNING *)`;
  const whole = {
    at: () => `greatest("gone"."updatedAt", ${text.typed(journaled.at, 'timestamp(3)')})`,
    revision: () => '"gone"."version" + 1',
    documentModel: model,
    documentId: () => '"gone"."id"',
  };
  const own = kind === 'child' ? lineSource(text, journaled) : whole;
  const selects = [
    selectEntries(text, journaled.by, { ...deleted(step.resource, 'gone'), ...own, from: () => '"gone"' }),
    ...lines.map(({ resource, reference }) =>
      selectEntries(text, journaled.by, {
        ...deleted(resource, resource.model),
        ...whole,
        from: () => `"gone" JOIN "${resource.model}" ON "${resource.model}"."${reference}" = "gone"."id"`,
      }),
    ),
  ];
  const entries = `"entries" AS (${insertEntries} ${selects.join(' UNION ALL ')})`;
  return `WITH ${gone}, ${entries} SELECT "id", "version" FROM "gone"`;
}

const deleted = (resource: Resource, table: string) => ({
  action: 'delete' as const,
  model: resource.model,
  id: () => `"${table}"."id"`,
  version: () => `"${table}"."version"`,
  changes: recordSql('postgresql', resource, (name) => `"${table}"."${name}"`),
});
