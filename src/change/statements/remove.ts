/** DELETE of rows of one table by id. Foreign keys delete their lines too. */

import type { Procedure, Rows, Statement } from '../../common/work.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import { removeWithEntries } from '../entries/postgresql-entries.js';
import { journalIsOff } from '../journal/journal-state.js';
import type { Remove } from '../plan.js';
import { decidingColumns, overtaken, refuseRows } from '../refusals.js';
import { removeConditions } from './conditions.js';
import { readStored } from './stored-record.js';
import type { StepContext } from './update.js';

/** On PostgreSQL deletes the only row if no process keeps the journal, and returns its id then. */
export function removalIfOff(step: Remove): Statement {
  const text = new StatementBuilder('postgresql');
  const conditions = `${removeConditions(text, step)} AND ${journalIsOff.once}`;
  const sql = `DELETE FROM "${step.resource.model}" WHERE ${conditions} RETURNING "id"`;
  return { isWhole: true, ...text.statement(sql) };
}

/**
 * Deletes all rows and returns their ids and versions. `isWhole` says that the plan has no other step. @throws
 * NOT_FOUND, VERSION_CONFLICT; BAD_USER_INPUT for a list
 */
export function* remove({ provider, journaled }: StepContext, step: Remove, isWhole: boolean): Procedure<Rows> {
  const { resource, rows } = step;
  const text = new StatementBuilder(provider);
  const sql = journaled
    ? removeWithEntries(text, journaled, step)
    : `DELETE FROM "${resource.model}" WHERE ${removeConditions(text, step)} RETURNING "id", "version"`;
  const gone = yield { isWhole: isWhole && rows.length === 1, ...text.statement(sql) };
  if (gone.length === rows.length) return gone;

  const ids = new Set(gone.map(([id]) => String(id)));
  const left = rows.filter(({ id }) => !ids.has(id)).map((row) => ({ ...row, values: {} }));
  const reading = {
    by: 'id',
    among: left.map(({ id }) => id),
    names: decidingColumns(resource, step.allowed),
    isLocked: false,
  };
  refuseRows(step, left, yield* readStored(provider, resource, reading));
  throw overtaken(resource, left[0]?.id, 'deleted');
}
