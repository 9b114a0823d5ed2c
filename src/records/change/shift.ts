/** Makes or closes a gap among the lines of one parent. A line shows its place, so its version is raised. */
import type { Provider } from '../../database/migration-history.js';
import type { Resource } from '../../model/resource.js';
import type { Statement } from '../../work.js';
import { scopeOf } from '../scope.js';
import { Text } from './text.js';

export interface Shift {
  kind: 'shift';
  resource: Resource;
  parentId: string;
  /** The first and the last place; without a last, all behind the first. */
  from: number;
  to?: number;
  by: 1 | -1;
}

/** Answers the id, the place and the version of each line, as they are now. */
export function shiftStatement(provider: Provider, { resource, parentId, from, to, by }: Shift): Statement {
  const text = new Text(provider);
  const conditions = [`"${scopeOf(resource)}" = ${text.bind(parentId)}`, `"idx" >= ${text.bind(from)}`];
  if (to !== undefined) conditions.push(`"idx" <= ${text.bind(to)}`);
  return text.statement(
    `UPDATE "${resource.model}" SET "idx" = "idx" + ${by}, "version" = "version" + 1 ` +
      `WHERE ${conditions.join(' AND ')} RETURNING "id", "idx", "version"`,
  );
}
