/**
 * One statement that writes and answers, where PostgreSQL can do both at once: a new record with its lines, or a change of
 * one record. SQLite runs statements in this process, so it has nothing to gain.
 */
import type { Provider } from '../../database/migration-history.js';
import type { Statement } from '../../work.js';
import { insertText } from './insert.js';
import type { Plan } from './plan.js';
import { Text } from './text.js';
import { updateOne } from './update.js';

/** What is answered of a record that is written. */
export interface Folded {
  /** The expression for the JSON text of the row `t0`. */
  object: string;
  /** Whether it reads rows of other tables too. */
  showsMore: boolean;
}

/** The statement, which answers no row where it changes nothing; undefined where the plan takes several. */
export function foldedStatement(
  provider: Provider,
  { steps }: Plan,
  { object, showsMore }: Folded,
  at: Date,
): Statement | undefined {
  const [first] = steps;
  if (provider === 'sqlite' || !first) return undefined;
  const text = new Text(provider);
  const tables: string[] = [];
  // The rows that are written stand in the place of their tables, which do not hold them yet while the statement runs.
  const add = (model: string, sql: string) => tables.push(`"${model}" AS (${sql} RETURNING *)`);
  for (const step of steps) {
    if (step.kind === 'insert' && !step.behind) {
      add(step.resource.model, insertText(text, step, Object.keys(step.rows[0] ?? {})));
      continue;
    }
    const row = step.kind === 'update' && steps.length === 1 && step.rows.length === 1 ? step.rows[0] : undefined;
    if (step.kind !== 'update' || !row || Object.keys(row.values).length === 0) return undefined;
    const { model } = step.resource;
    add(model, updateOne(text, step, row, at, showsMore ? asInSnapshot(model) : undefined));
  }
  const { model } = 'resource' in first ? first.resource : { model: '' };
  return { ...text.statement(`WITH ${tables.join(', ')} SELECT ${object} FROM "${model}" AS t0`), isWhole: true };
}

/**
 * An update that waited for another writer sees the record as that one left it, and all other rows as they were before. Its
 * answer would mix rows from two snapshots; then nothing is changed, and the update is made by several statements.
 */
const asInSnapshot = (model: string): string =>
  `"version" = (SELECT "seen"."version" FROM "${model}" AS "seen" WHERE "seen"."id" = "${model}"."id")`;
