/** How many records and lines the changes of one request write: they occupy SQLite's only writer, and fill the journal. */
import { errors } from '../../errors.js';
import type { Values } from '../../model/change.js';
import { mostRowsWritten } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import type { Procedure } from '../../work.js';
import type { ChangeContext } from './change-context.js';
import type { Plan } from './plan.js';
import { StatementBuilder } from './statement-builder.js';
import type { Remove } from './step.js';

/** Refuses inputs of new records before rows are made of them. @throws QUERY_TOO_COMPLEX */
export function requireFewRows({ lines }: Resource, inputs: readonly Values[]): void {
  if (inputs.length === 1) return;
  let count = inputs.length;
  for (const input of inputs) {
    for (const { field } of lines) {
      const list = input[field];
      if (Array.isArray(list)) count += list.length;
    }
  }
  if (count > mostRowsWritten) throw errors.tooManyRows(mostRowsWritten);
}

/**
 * Refuses a plan with which the request would write too much, and returns how many rows it writes as far as is known
 * before; how many lines it moves is counted afterwards. A document of any size can be changed by a request of its own.
 * @throws QUERY_TOO_COMPLEX
 */
export function* requireRoom({ provider, written }: ChangeContext, { steps, isList }: Plan): Procedure<number> {
  const mayBeAny = !isList && written.rows === 0;
  let count = 0;
  for (const step of steps) {
    if ('rows' in step) count += step.rows.length;
    if (step.kind !== 'remove' || step.resource.lines.length === 0) continue;
    if (!mayBeAny) count += yield* countLines(new StatementBuilder(provider), step);
  }
  if (!mayBeAny && written.rows + count > mostRowsWritten) throw errors.tooManyRows(mostRowsWritten);
  return count;
}

/** The lines that are deleted together with the records. */
function* countLines(text: StatementBuilder, { resource, rows }: Remove): Procedure<number> {
  const ids = rows.map(({ id }) => id);
  const counts = resource.lines.map(
    ({ resource: { model }, reference }) => `(SELECT count(*) FROM "${model}" WHERE "${reference}" ${text.among(ids)})`,
  );
  const [row] = yield text.statement(`SELECT ${counts.join(' + ')}`);
  return Number(row?.[0]);
}
