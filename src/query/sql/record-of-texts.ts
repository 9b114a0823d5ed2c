/** Which records PostgreSQL returns as arrays of texts (`RecordForm.texts`). */
import type { Described } from '../compiled/described-fields.js';
import { mostArguments } from './postgresql-record-form.js';
import type { SqlBuilder } from './statement.js';

/** Whether a statement builds one such record or many of them. */
export type RecordCount = 'one' | 'many';

/**
 * Whether PostgreSQL returns the record as texts: one of many, all of whose fields are columns. A single one is built no
 * faster, but takes longer to prepare.
 */
export const isOfTexts = (
  { dialect, answerSize }: SqlBuilder,
  fields: readonly Described[],
  count: RecordCount,
): boolean =>
  count === 'many' &&
  dialect.lacksKeys &&
  !answerSize.inAdvance &&
  fields.length > 0 &&
  fields.length <= mostArguments &&
  fields.every(({ answer: { kind } }) => kind === 'column' || kind === 'status' || kind === 'typename');
