/**
 * Parses filters into conditions. A filter is always true or false, never unknown as in SQL: null equals nothing, contains
 * nothing, and is neither less nor greater, so `ne`, `notIn` and `not` are true for it. Negations are therefore pushed down to
 * the single comparisons, each of which handles null.
 */
import { isObject } from '../common/is-object.js';
import { ignoredCase } from '../database/ignored-case.js';
import { authorColumns, type Lines, type Resource } from '../model/resource.js';
import {
  anyOf,
  type Condition,
  equals,
  everything,
  joined,
  linkedIn,
  never,
  type Sign,
  type TextOperator,
  textOperators,
} from './condition.js';

/**
 * A filter as in the inputs: `{ and, or, not, <field>: { eq … }, <lines>: { some, every, none }, <parent>: { … } }`.
 */
export type Filter = Readonly<Record<string, unknown>>;

/** The condition of an optional filter, or of its negation. */
export const conditionOf = (resource: Resource, filter: Filter | null | undefined, isNot = false): Condition =>
  parsed(filter ?? {}, isNot, (name, value, isNegated) => ofMember(resource, name, value, isNegated));

/** The types to which a filter follows links, at any depth. */
export const linkedByFilter = (resource: Resource, filter: Filter | null | undefined): ReadonlySet<Resource> =>
  linkedIn(conditionOf(resource, filter));

/** What a member of a filter beside `and`, `or` and `not` says. */
type OfMember = (name: string, value: Filter, isNot: boolean) => Condition;

export function parsed(filter: Filter, isNot: boolean, ofMember: OfMember): Condition {
  const parts: Condition[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (value == null) continue;
    if (name === 'not') parts.push(parsed(asFilter(value), !isNot, ofMember));
    else if (name === 'and' || name === 'or') {
      const each = asList(value).map((one) => parsed(asFilter(one), isNot, ofMember));
      parts.push(joined((name === 'and') !== isNot ? 'and' : 'or', each));
    } else parts.push(ofMember(name, asFilter(value), isNot));
  }
  return joined(isNot ? 'or' : 'and', parts);
}

function ofMember(resource: Resource, name: string, value: Filter, isNot: boolean): Condition {
  const isIt = ({ field }: { field: string }) => field === name;
  const lines = resource.lines.find(isIt);
  if (lines) return ofLines(lines, value, isNot);
  const parent = resource.parents.find(isIt);
  if (parent) {
    const condition = conditionOf(parent.resource, value, isNot);
    return { kind: 'parent', to: parent, orNone: parent.link && isNot, condition };
  }
  const link = resource.links.find(isIt);
  if (link) return { kind: 'link', to: link, isNone: isNot, condition: conditionOf(link.resource, value) };
  const isAuthor = authorColumns.some((column) => column === name);
  return comparisonsOf(
    name,
    isAuthor || resource.fields.some((field) => field.name === name && field.nullable),
    value,
    isNot,
  );
}

function ofLines(to: Lines, { some, every, none }: Filter, isNot: boolean): Condition {
  const one = (filter: unknown, isNone: boolean, isNegated = false): Condition[] =>
    filter == null
      ? []
      : [
          {
            kind: 'lines',
            to,
            isNone: isNone !== isNot,
            condition: conditionOf(to.resource, asFilter(filter), isNegated),
          },
        ];
  // Every line is like this where none is not: Prisma's own `every` ignores lines for which SQL's result is unknown.
  return joined(isNot ? 'or' : 'and', [...one(some, false), ...one(every, true, true), ...one(none, true)]);
}

/** The comparisons of one field, or their negation, with a definite result for null. */
export function comparisonsOf(field: string, nullable: boolean, given: Filter, isNot: boolean): Condition {
  const parts: Condition[] = [];
  for (const [operator, operand] of Object.entries(given)) {
    if (operand == null || operator === 'ignoreCase') continue;
    if (operator === 'isNull') {
      const isNull = (operand === true) !== isNot;
      if (nullable) parts.push({ kind: 'null', field, isNot: !isNull });
      else parts.push(isNull ? never : everything);
      continue;
    }
    const condition = isTextOperator(operator)
      ? ofText(field, operator, String(operand), given.ignoreCase === true, isNot)
      : ofValue(field, operator, operand, isNot);
    const isDenied = (operator === 'ne' || operator === 'notIn') !== isNot;
    parts.push(nullable && isDenied ? anyOf(equals(field, null), condition) : condition);
  }
  return joined(isNot ? 'or' : 'and', parts);
}

function ofValue(field: string, operator: string, operand: unknown, isNot: boolean): Condition {
  if (operator === 'in' || operator === 'notIn') {
    return { kind: 'in', field, values: asList(operand), isNot: (operator === 'notIn') !== isNot };
  }
  const sign = signOf(operator);
  return { kind: 'compare', field, operator: isNot ? opposites[sign] : sign, value: operand };
}

const opposites: Record<Sign, Sign> = { eq: 'ne', ne: 'eq', lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' };

const isSign = (text: string): text is Sign => Object.hasOwn(opposites, text);

function signOf(operator: string): Sign {
  if (!isSign(operator)) throw new Error(`The filters have an operator that is not known here: ${operator}`);
  return operator;
}

const asFilter = (value: unknown): Filter => (isObject(value) ? value : {});
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const isTextOperator = (operator: string): operator is TextOperator => textOperators.some((each) => each === operator);

function ofText(field: string, operator: TextOperator, text: string, ignoresCase: boolean, isNot: boolean): Condition {
  if (operator !== 'startsWith' || ignoresCase) {
    const part = ignoresCase ? ignoredCase(text) : { from: '', to: '', text };
    return { kind: 'part', field, operator, part, isNot };
  }
  // Texts with a prefix are a range, which an index supports.
  const end = afterPrefix(text);
  const bounds: Condition[] = [{ kind: 'compare', field, operator: isNot ? 'lt' : 'gte', value: text }];
  if (end !== undefined) bounds.push({ kind: 'compare', field, operator: isNot ? 'gte' : 'lt', value: end });
  return joined(isNot ? 'or' : 'and', bounds);
}

/**
 * The first text, in bytewise order, after all texts that begin with `prefix`; undefined if there is none. "Begins
 * with" then becomes a range that an index supports: `prefix <= text < afterPrefix(prefix)`.
 */
export function afterPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) ?? 0;
    if (last < lastPoint)
      return characters.join('') + String.fromCodePoint(last === beforeSurrogates ? afterSurrogates : last + 1);
  }
  return undefined;
}

const lastPoint = 0x10ffff;
/** The range of surrogates, which are no characters of their own. */
const beforeSurrogates = 0xd7ff;
const afterSurrogates = 0xe000;
