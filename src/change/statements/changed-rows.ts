/** The only row that a plan changes, with its document if it is a line, for a statement that writes and answers. */
import { scopeOf } from '../../query/scope.js';
import type { Plan } from '../plan.js';
import type { AnswerSql } from './answer-sql.js';
import { quoted, type StatementBuilder } from './statement-builder.js';
import { isUnchanged } from './step-conditions.js';
import { conditionsOfOne, type RowUpdate, raising, type Update } from './update.js';

export interface ChangedRow {
  update: Update;
  row: RowUpdate;
  /** The named query that raises the row's document; it must have done so. */
  raisedBy?: string;
  condition?: string;
  /** The change of the line whose document the row is, where neither has been read. */
  unread?: Pick<ChangedRow, 'update' | 'row'>;
}

/** The only row that a plan changes, behind its document if it is a line; undefined for any other plan. */
export function changedRows(
  { steps: [first, second, ...others] }: Plan,
  { showsMore, tables }: AnswerSql,
): readonly ChangedRow[] | undefined {
  const [update, raise] = first?.kind === 'raise' ? [second, first] : [first, undefined];
  if (update?.kind !== 'update' || others.length > 0 || (second && !raise)) return undefined;
  const [row, ...more] = update.rows;
  if (!row || more.length > 0 || Object.keys(row.values).length === 0) return undefined;
  const { model } = update.resource;
  // An update that waited for another writer sees its own record in the new state, but all other rows as they were
  // before. The answer would mix rows from two snapshots, so nothing is changed, and the update is made with several
  // statements instead.
  if (!raise) return [{ update, row, ...(showsMore ? { condition: isUnchanged(model) } : {}) }];
  const { parent, version, locked } = raise;
  // An answer that reads the table of the lines would show them all, the changed one too, as they were before.
  const { id, resource } = parent;
  if (!resource || tables.has(model)) return undefined;
  if (id !== undefined && version == null) return undefined;
  // The document is locked first, as by everyone who changes its lines. It must still have the version at which the
  // line was read or, if the line was not read, the version that the document had when the statement began.
  const raised = { id: id ?? '', values: {}, version, locked };
  const unread = id === undefined ? { unread: { update, row }, condition: isUnchanged(resource.model) } : {};
  return [
    { update: raising(resource, raised), row: raised, ...unread },
    { update, row, raisedBy: quoted(resource.model) },
  ];
}

/** The id of the document of a line that is to be changed and would get another value. */
export function documentToRaise(text: StatementBuilder, { update, row }: Pick<ChangedRow, 'update' | 'row'>): string {
  const { resource } = update;
  const conditions = conditionsOfOne(text, update, row).join(' AND ');
  return `SELECT "${scopeOf(resource)}" AS "document" FROM "${resource.model}" WHERE ${conditions}`;
}
