/**
 * One statement that both writes and answers, for new records with their lines or a change of one record on PostgreSQL,
 * where it saves round trips. SQLite runs in this process and would gain nothing.
 */

import { ifOff } from '../../journal/journal-state.js';
import type { Statement } from '../../work.js';
import { insertText } from './insert.js';
import { createdEntries, selectCreated } from './journal/created-entries.js';
import { insertEntries } from './journal/entry-sql.js';
import type { Journaled } from './journal/journaled.js';
import { updateEntries, writingEntries } from './journal/postgresql-update.js';
import type { Plan } from './plan.js';
import { quoted, StatementBuilder } from './statement-builder.js';
import type { Insert } from './step.js';
import { updateOne } from './update.js';

/** How written records are answered. */
export interface AnswerSql {
  /** Reads the answer from the written rows, under the name of their table. */
  select: string;
  /** Named queries that `select` reads; they come behind those that write. */
  queries?: readonly string[];
  /** Whether it also reads rows of other tables. */
  showsMore: boolean;
  /** The tables whose rows it reads in addition to the written records. */
  tables: ReadonlySet<string>;
}

/** The statement; it returns no row if it changes nothing. Undefined if the plan needs several statements. */
export function singleStatement(
  { steps }: Plan,
  { select, queries = [], showsMore }: AnswerSql,
  at: Date,
  journaled: Journaled | 'if on' | undefined,
): Statement | undefined {
  const [first] = steps;
  if (!first || joinsMany(steps)) return undefined;
  const text = new StatementBuilder('postgresql');
  const isGuarded = journaled === 'if on';
  const tables: string[] = isGuarded ? [ifOff.query] : [];
  const guard = isGuarded ? ifOff.condition : undefined;
  // The written rows replace their tables in the SELECT, because the tables do not contain them until the statement
  // ends.
  const inserts: Insert[] = [];
  for (const step of steps) {
    if (step.kind === 'insert' && !step.behind) {
      inserts.push(step);
      const write = insertText(text, step, Object.keys(step.rows[0] ?? {}), guard);
      tables.push(`"${step.resource.model}" AS (${write} RETURNING *)`);
      continue;
    }
    const row = step.kind === 'update' && steps.length === 1 && step.rows.length === 1 ? step.rows[0] : undefined;
    if (step.kind !== 'update' || !row || Object.keys(row.values).length === 0) return undefined;
    const { model } = step.resource;
    const entries = journaled && !isGuarded ? updateEntries(text, journaled, step) : undefined;
    const conditions = [guard, entries?.further.condition, showsMore ? asInSnapshot(model) : undefined];
    const condition = conditions.filter((each) => each !== undefined).join(' AND ');
    if (entries) tables.push(entries.before());
    const write = updateOne(text, step, row, at, { condition, ...(entries ? { from: entries.further.from } : {}) });
    tables.push(`"${model}" AS (${write} RETURNING "${model}".*)`);
    if (entries) tables.push(writingEntries(entries.entries(quoted(model))));
  }
  if (journaled && !isGuarded && inserts.length > 0) {
    const created = selectCreated(text, journaled.by, createdEntries(inserts, journaled));
    tables.push(`"entries" AS (${insertEntries} ${created})`);
  }
  return { ...text.statement(`WITH ${[...tables, ...queries].join(', ')} ${select}`), isWhole: true };
}

/** Whether the answer would look for the lines of many new records among many: what a statement writes has no index. */
function joinsMany(steps: Plan['steps']): boolean {
  const [records = 0, ...lines] = steps.map((step) => (step.kind === 'insert' ? step.rows.length : 0));
  return lines.some((count) => records * count > mostCompared);
}

const mostCompared = 20_000;

/**
 * An update that waited for another writer sees its own record in the new state, but all other rows as they were
 * before. The answer would mix rows from two snapshots, so nothing is changed, and the update is made with several
 * statements instead.
 */
const asInSnapshot = (model: string): string =>
  `"${model}"."version" = (SELECT "seen"."version" FROM "${model}" AS "seen" WHERE "seen"."id" = "${model}"."id")`;
