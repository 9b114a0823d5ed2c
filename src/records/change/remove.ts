/** DELETE of rows of one table by their ids. The foreign keys delete their lines with them. */
import type { Provider } from '../../database/migration-history.js';
import { errors } from '../../errors.js';
import type { Resource } from '../../model/resource.js';
import type { Rows, Work } from '../../work.js';
import { present } from './present.js';
import { refuse } from './refusals.js';
import { Text } from './text.js';

export interface RowRemoval {
  id: string;
  /** The version the row must have. */
  version?: number | null | undefined;
}

export interface Remove {
  kind: 'remove';
  resource: Resource;
  /** Only one that is alone may have a condition. */
  rows: readonly RowRemoval[];
  /** The name of the list whose items the ids are; undefined where the caller names one record. */
  items?: string;
}

/**
 * Answers the id and the version of each row that is gone, which are all. `isWhole` says that nothing else is written.
 * @throws NOT_FOUND, VERSION_CONFLICT, BAD_USER_INPUT for a list
 */
export function* remove(provider: Provider, step: Remove, isWhole: boolean): Work<Rows> {
  const { resource, rows } = step;
  const text = new Text(provider);
  const [first] = rows;
  const isOne = rows.length === 1;
  const conditions = [`"id" ${isOne ? `= ${text.bind(first?.id)}` : text.among(rows.map(({ id }) => id))}`];
  if (isOne && first?.version != null) conditions.push(`"version" = ${text.bind(first.version)}`);
  const sql = `DELETE FROM "${resource.model}" WHERE ${conditions.join(' AND ')} RETURNING "id", "version"`;
  const gone = yield { ...text.statement(sql), isWhole: isWhole && isOne };
  if (gone.length === rows.length) return gone;

  const ids = new Set(gone.map(([id]) => String(id)));
  const left = rows.filter(({ id }) => !ids.has(id)).map((row) => ({ ...row, values: {} }));
  const reading = { by: 'id', among: left.map(({ id }) => id), names: [], isLocked: false };
  const records = new Map((yield* present(provider, resource, reading)).map((record) => [record.id, record]));
  refuse(step, left, records);
  throw errors.internal(new Error(`${resource.model} ${left[0]?.id} was not deleted and nothing says why`));
}
