/** Opens or closes a gap among the lines of a parent. A line shows its position, so its version rises. */

import type { Statement } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Journaled } from '../entries/journaled.js';
import { withShiftEntries } from '../entries/postgresql-lines.js';
import type { Shift } from '../step.js';
import { StatementBuilder } from './statement-builder.js';
import { shiftConditions } from './step-conditions.js';

/** Returns the id, position and version of each line after the shift. */
export function shiftStatement(provider: Provider, shift: Shift, journaled: Journaled | undefined): Statement {
  const { resource, by } = shift;
  const text = new StatementBuilder(provider);
  const write =
    `UPDATE "${resource.model}" SET "idx" = "idx" + ${by}, "version" = "version" + 1 ` +
    `WHERE ${shiftConditions(text, shift)} RETURNING "id", "idx", "version"`;
  return text.statement(journaled ? withShiftEntries(text, journaled, shift, write) : write);
}
