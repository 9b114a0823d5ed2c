/** The conditions under which steps change rows: for the statements that change them and for the journal. */
import { scopeOf } from '../../query/scope.js';
import type { Insert, Remove, Shift } from '../plan.js';
import type { StatementBuilder } from './statement-builder.js';
import { isDraft } from './update.js';

/** The conditions under which a record is deleted. */
export function removeConditions(text: StatementBuilder, { resource: { model }, rows }: Remove): string {
  const [first] = rows;
  const isOne = rows.length === 1;
  const conditions = [`"${model}"."id" ${isOne ? `= ${text.bind(first?.id)}` : text.among(rows.map(({ id }) => id))}`];
  if (isOne && first?.version != null) conditions.push(`"${model}"."version" = ${text.bind(first.version)}`);
  if (first?.locked) conditions.push(`"${model}".${isDraft}`);
  return conditions.join(' AND ');
}

/** The condition that a record is as the statement saw it when it began, also if it had to wait for another writer. */
export const isUnchanged = (model: string): string =>
  `"${model}"."version" = (SELECT "seen"."version" FROM "${model}" AS "seen" WHERE "seen"."id" = "${model}"."id")`;

/** The conditions under which a line is moved. */
export function shiftConditions(text: StatementBuilder, { resource, parentId, from, to }: Shift): string {
  const conditions = [`"${scopeOf(resource)}" = ${text.bind(parentId)}`, `"idx" >= ${text.bind(from)}`];
  if (to !== undefined) conditions.push(`"idx" <= ${text.bind(to)}`);
  return conditions.join(' AND ');
}

/** The `idx` of a single new line: the given one, but at most one more than the number of its siblings. */
export function placeBehind(
  text: StatementBuilder,
  { resource: { model }, rows: [row], behind = '' }: Insert,
  given: string,
): string {
  const count = `(SELECT count(*) + 1 FROM "${model}" WHERE "${behind}" = ${text.bind(row?.[behind])})`;
  return text.provider === 'sqlite' ? `min(${given}, ${count})` : `least(${given}, ${count})`;
}
