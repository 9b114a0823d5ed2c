/** How much the changes of one request write: they occupy SQLite's only writer, and fill the journal. */

import type { Procedure } from '../common/work.js';
import { StatementBuilder } from '../database/statement-builder.js';
import type { Values } from '../model/change.js';
import { errors } from '../model/errors/errors.js';
import { mostCharactersWritten, mostRowsWritten } from '../model/limits.js';
import type { Resource } from '../model/resource.js';
import type { ChangeContext, Written } from './context.js';
import type { Plan, Remove } from './plan.js';

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
  if (count > mostRowsWritten) throw errors.tooMuchWritten('rows', mostRowsWritten);
}

/**
 * Refuses a plan with which the request would write too much, and returns how much it writes as far as is known before;
 * how many lines it moves is counted afterwards. A document of any size can be changed by a request of its own. @throws
 * QUERY_TOO_COMPLEX
 */
export function* requireRoom({ provider, written }: ChangeContext, { steps, isList }: Plan): Procedure<Written> {
  const mayBeAny = !isList && written.rows === 0;
  let rows = 0;
  let characters = 0;
  for (const step of steps) {
    if ('rows' in step) rows += step.rows.length;
    if (step.kind === 'insert') for (const row of step.rows) characters += charactersIn(row);
    if (step.kind === 'update') for (const { values } of step.rows) characters += charactersIn(values);
    if (mayBeAny || step.kind !== 'remove' || step.resource.lines.length === 0) continue;
    rows += yield* countLines(new StatementBuilder(provider), step);
  }
  if (!mayBeAny && written.rows + rows > mostRowsWritten) throw errors.tooMuchWritten('rows', mostRowsWritten);
  if (written.characters + characters > mostCharactersWritten) {
    throw errors.tooMuchWritten('characters', mostCharactersWritten);
  }
  return { rows, characters };
}

/** The characters of all texts. */
export function charactersIn(values: Values): number {
  let count = 0;
  for (const name in values) {
    const value = values[name];
    if (typeof value === 'string') count += value.length;
  }
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
