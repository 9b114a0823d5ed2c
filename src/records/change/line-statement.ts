/**
 * One statement on PostgreSQL that raises the version of a document, changes one of its lines, and answers. It changes
 * nothing if the document no longer has the version at which the line was read.
 */

import { ifOff } from '../../journal/journal-state.js';
import type { Statement } from '../../work.js';
import type { Journaled } from './journal/journaled.js';
import { updateEntries, writingEntries } from './journal/postgresql-update.js';
import type { Plan } from './plan.js';
import type { AnswerSql } from './single-statement.js';
import { quoted, StatementBuilder } from './statement-builder.js';
import { type Update, updateOne } from './update.js';

/** The statement; it returns no row if it changes nothing. Undefined for any other plan, or if the answer reads other lines. */
export function lineStatement(
  { steps: [raise, update, ...others] }: Plan,
  { select, queries = [], tables }: AnswerSql,
  at: Date,
  given: Journaled | 'if on' | undefined,
): Statement | undefined {
  if (others.length > 0) return undefined;
  if (raise?.kind !== 'raise' || update?.kind !== 'update') return undefined;
  const { version, parent } = raise;
  const [row, ...more] = update.rows;
  // The tables hold other lines and the changed one as they were before the statement.
  if (!parent.resource || version == null || !row || more.length > 0 || tables.has(update.resource.model)) {
    return undefined;
  }
  const text = new StatementBuilder('postgresql');
  const [document, line] = [quoted(parent.resource.model), quoted(update.resource.model)];
  const raised = { id: parent.id, values: {}, version };
  const raising: Update = { kind: 'update', resource: parent.resource, rows: [raised], action: 'update', raises: true };
  const [journaled, guard] = given === 'if on' ? [undefined, ifOff] : [given, undefined];
  const documentEntries = journaled && updateEntries(text, journaled, raising, 'document before');
  const lineEntries = journaled && updateEntries(text, { ...journaled, raisedBy: document }, update);
  // The document is locked first, as by everyone who changes its lines.
  const isRaised = `EXISTS (SELECT FROM ${document})`;
  const parts = [
    guard?.query,
    documentEntries?.before(),
    `${document} AS (${updateOne(text, raising, raised, at, documentEntries?.further ?? guard)} RETURNING ${document}.*)`,
    lineEntries?.before(isRaised),
    `${line} AS (${updateOne(text, update, row, at, {
      condition: [isRaised, lineEntries?.further.condition].filter((each) => each !== undefined).join(' AND '),
      ...(lineEntries ? { from: lineEntries.further.from } : {}),
    })} RETURNING ${line}.*)`,
    documentEntries && lineEntries && writingEntries(documentEntries.entries(document), lineEntries.entries(line)),
    ...queries,
  ].filter((part) => part !== undefined);
  return { ...text.statement(`WITH ${parts.join(', ')} ${select}`), isWhole: true };
}
