/**
 * One statement on PostgreSQL that both writes and answers, where it saves round trips: for new records with their lines, a
 * change of one record, and a change of one line with the version of its document. SQLite runs in this process and would
 * gain nothing.
 */

import type { Statement } from '../../common/work.js';
import { createdEntries, selectCreated } from '../entries/created-entries.js';
import { insertEntries } from '../entries/entry-sql.js';
import type { Journaled } from '../entries/journaled.js';
import { updateEntries, writingEntries } from '../entries/postgresql-update.js';
import { journalIsOff } from '../journal/journal-state.js';
import type { Plan } from '../plan.js';
import type { Insert } from '../step.js';
import type { AnswerSql } from './answer-sql.js';
import { type ChangedRow, changedRows, documentToRaise } from './changed-rows.js';
import { insertedColumns, insertText } from './insert.js';
import { keptText } from './kept-texts.js';
import { quoted, StatementBuilder } from './statement-builder.js';
import { updateOne } from './update.js';

/**
 * The statement; it returns no row if it changes nothing. Undefined if the plan needs several statements. The written rows
 * replace their tables in the SELECT, because the tables do not contain them until the statement ends.
 */
export function singleStatement(
  plan: Plan,
  answer: AnswerSql,
  at: Date,
  given: Journaled | 'if on' | undefined,
): Statement | undefined {
  const [journaled, isGuarded] = given === 'if on' ? [undefined, true] : [given, false];
  const text = new StatementBuilder('postgresql');
  const changes = changedRows(plan, answer);
  const inserts = plan.steps.filter((step): step is Insert => step.kind === 'insert' && !step.behind);
  if (!changes && (inserts.length === 0 || inserts.length < plan.steps.length || joinsMany(inserts))) return undefined;
  const guards = changes ? 1 : inserts.length;
  const guard = isGuarded ? journalIsOff[guards > 1 ? 'condition' : 'once'] : undefined;
  const make = () => {
    const shared = guard === journalIsOff.condition ? [journalIsOff.query] : [];
    const written = changes ? changing(text, changes, at, journaled, guard) : creating(text, inserts, journaled, guard);
    return `WITH ${[...shared, ...written, ...(answer.queries ?? [])].join(', ')} ${answer.select}`;
  };
  const isKept = changes && !journaled;
  return { ...text.statement(isKept ? keptText(text, answer, changes, at, guard, make) : make()), isWhole: true };
}

/** Whether the answer would look for the lines of many new records among many: what a statement writes has no index. */
function joinsMany(inserts: readonly Insert[]): boolean {
  const [records = 0, ...lines] = inserts.map(({ rows }) => rows.length);
  return lines.some((count) => records * count > mostCompared);
}

const mostCompared = 20_000;

function creating(
  text: StatementBuilder,
  inserts: readonly Insert[],
  journaled: Journaled | undefined,
  guard: string | undefined,
): string[] {
  const parts = inserts.map((step) => {
    const write = insertText(text, step, insertedColumns(step), guard);
    return `"${step.resource.model}" AS (${write} RETURNING *)`;
  });
  if (!journaled) return parts;
  const created = selectCreated(text, journaled.by, createdEntries(inserts, journaled));
  return [...parts, `"entries" AS (${insertEntries} ${created})`];
}

function changing(
  text: StatementBuilder,
  changes: readonly ChangedRow[],
  at: Date,
  journaled: Journaled | undefined,
  guard: string | undefined,
): string[] {
  const entries: string[] = [];
  const parts = changes.flatMap(({ update, row, raisedBy, condition, unread }, place) => {
    const table = quoted(update.resource.model);
    const isRaised = raisedBy && `EXISTS (SELECT FROM ${raisedBy})`;
    const id = unread && '(SELECT "document" FROM "line")';
    const own = journaled && updateEntries(text, raisedBy ? { ...journaled, raisedBy } : journaled, update, id);
    const conditions = [place === 0 ? guard : undefined, isRaised, own?.further.condition, condition];
    const further = { ...own?.further, id, condition: conditions.filter((each) => each !== undefined).join(' AND ') };
    if (own) entries.push(own.entries(table));
    const write = `${table} AS (${updateOne(text, update, row, at, further)} RETURNING ${table}.*)`;
    const queries = own ? [own.before(isRaised), write] : [write];
    return unread ? [`"line" AS (${documentToRaise(text, unread)})`, ...queries] : queries;
  });
  return journaled ? [...parts, writingEntries(...entries)] : parts;
}
