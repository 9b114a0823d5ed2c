/** Opens or closes a gap among the lines of a parent. A line shows its position, so its version rises. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Resource } from '../../model/resource.js';
import type { Statement } from '../../work.js';
import { scopeOf } from '../scope.js';
import { StatementBuilder } from './statement-builder.js';

export interface Shift {
  kind: 'shift';
  resource: Resource;
  parentId: string;
  /** The first and last position; without `to`, all from the first on. */
  from: number;
  to?: number;
  by: 1 | -1;
}

/** Returns the id, position and version of each line after the shift. */
export function shiftStatement(provider: Provider, { resource, parentId, from, to, by }: Shift): Statement {
  const text = new StatementBuilder(provider);
  const conditions = [`"${scopeOf(resource)}" = ${text.bind(parentId)}`, `"idx" >= ${text.bind(from)}`];
  if (to !== undefined) conditions.push(`"idx" <= ${text.bind(to)}`);
  return text.statement(
    `UPDATE "${resource.model}" SET "idx" = "idx" + ${by}, "version" = "version" + 1 ` +
      `WHERE ${conditions.join(' AND ')} RETURNING "id", "idx", "version"`,
  );
}
