/** DELETE of rows of one table by id. Foreign keys delete their lines too. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Resource } from '../../model/resource.js';
import type { Procedure, Rows } from '../../work.js';
import { refuseRows } from './refusals.js';
import { StatementBuilder } from './statement-builder.js';
import { readStored } from './stored-record.js';

export interface RowRemoval {
  id: string;
  /** The version the row must have. */
  version?: number | null | undefined;
}

export interface Remove {
  kind: 'remove';
  resource: Resource;
  /** Only a single row may have a condition. */
  rows: readonly RowRemoval[];
  /** The name of the list whose items the ids are; undefined for a single record. */
  items?: string;
}

/**
 * Deletes all rows and returns their ids and versions. `isWhole` says that the plan has no other step. @throws
 * NOT_FOUND, VERSION_CONFLICT; BAD_USER_INPUT for a list
 */
export function* remove(provider: Provider, step: Remove, isWhole: boolean): Procedure<Rows> {
  const { resource, rows } = step;
  const text = new StatementBuilder(provider);
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
  const records = new Map((yield* readStored(provider, resource, reading)).map((record) => [record.id, record]));
  refuseRows(step, left, records);
  // Another transaction was there in between: the whole mutation is repeated.
  throw Object.assign(new Error(`${resource.model} ${left[0]?.id} was not deleted and nothing says why`), {
    code: '40001',
  });
}
