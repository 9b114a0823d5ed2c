/**
 * Converts filters to Prisma conditions. A filter is always true or false, never unknown as in SQL: null equals
 * nothing, contains nothing, and is neither less nor greater, so `ne`, `notIn` and `not` are true for it. Negations are
 * therefore pushed down to the single comparisons, each of which handles null.
 */
import { exactNumber, exactNumbers } from '../database/exact-number.js';
import { ignoredCase, markedPattern } from '../database/ignored-case.js';
import type { Field } from '../model/field.js';
import type { Where } from './delegate.js';

/**
 * A filter as in the inputs: `{ and, or, not, <field>: { eq … }, <lines>: { some, every, none }, <parent>: { … } }`.
 */
export type Filter = Readonly<Record<string, unknown>>;

/** What can be filtered: fields, and relations to other records. */
export interface Filterable {
  /** A name that is never null; `id` by default. */
  key?: string;
  fields: readonly Pick<Field, 'name' | 'nullable'>[];
  lines: readonly { field: string; resource: Filterable }[];
  parents: readonly { field: string; reference: string; link: boolean; resource: Filterable }[];
  /** Prisma does not know them; `condition.ts` writes their conditions (`linkedIn` finds whether there are any). */
  links: readonly { field: string; resource: Filterable }[];
}

/** The condition of an optional filter; empty if there is none. */
export function conditionOf(resource: Filterable, filter: Filter | null | undefined): Where {
  return filter && Object.keys(filter).length > 0 ? whereOf(resource, filter) : {};
}

/** The condition of a filter, or of its negation. */
export function whereOf(resource: Filterable, filter: Filter, negated = false): Where {
  const parts: Where[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (value != null) parts.push(part(resource, name, value, negated));
  }
  return parts.length === 1 && parts[0] ? parts[0] : joined(resource, negated ? 'OR' : 'AND', parts);
}

function part(resource: Filterable, name: string, value: unknown, negated: boolean): Where {
  if (name === 'not') return whereOf(resource, asFilter(value), !negated);
  if (name === 'and' || name === 'or') {
    const each = asList(value).map((filter) => whereOf(resource, asFilter(filter), negated));
    return joined(resource, (name === 'and') !== negated ? 'AND' : 'OR', each);
  }
  const lines = resource.lines.find(({ field }) => field === name);
  if (lines) return linesPart(resource, lines.resource, name, asFilter(value), negated);
  const parent = resource.parents.find(({ field }) => field === name);
  if (parent) {
    const is = { [name]: { is: whereOf(parent.resource, asFilter(value), negated) } };
    return parent.link && negated ? { OR: [{ [parent.reference]: null }, is] } : is;
  }
  const link = resource.links.find(({ field }) => field === name);
  if (link) return { [name]: { [negated ? 'none' : 'some']: whereOf(link.resource, asFilter(value)) } };
  const nullable = resource.fields.some((field) => field.name === name && field.nullable);
  const { ignoreCase, ...operators } = asFilter(value);
  const comparisons = Object.entries(operators).filter(([, operand]) => operand != null);
  const conditions = comparisons.map(([operator, operand]) =>
    operator === 'isNull' && !nullable
      ? constant(resource, (operand === true) === negated)
      : compare(name, { operator, operand, ignoreCase: ignoreCase === true }, nullable, negated),
  );
  return joined(resource, negated ? 'OR' : 'AND', conditions);
}

function linesPart(
  resource: Filterable,
  child: Filterable,
  name: string,
  { some, every, none }: Filter,
  negated: boolean,
): Where {
  const conditions: Where[] = [];
  const [there, absent] = negated ? ['none', 'some'] : ['some', 'none'];
  if (some != null) conditions.push({ [name]: { [there]: whereOf(child, asFilter(some)) } });
  // Prisma's own `every` ignores lines for which SQL's result is unknown.
  if (every != null) conditions.push({ [name]: { [absent]: whereOf(child, asFilter(every), true) } });
  if (none != null) conditions.push({ [name]: { [absent]: whereOf(child, asFilter(none)) } });
  return joined(resource, negated ? 'OR' : 'AND', conditions);
}

const joined = (resource: Filterable, word: 'AND' | 'OR', parts: Where[]): Where =>
  parts.length > 0 ? { [word]: parts } : constant(resource, word === 'AND');

/** A condition that is always true or always false. Prisma drops an empty `AND` or `OR`. */
const constant = ({ key = 'id' }: Filterable, value: boolean): Where => ({ [key]: { [value ? 'notIn' : 'in']: [] } });

interface Comparison {
  operator: string;
  operand: unknown;
  /** Only of parts of texts. */
  ignoreCase: boolean;
}

/** A comparison or its negation, with a definite result for null. */
function compare(
  field: string,
  { operator, operand, ignoreCase }: Comparison,
  nullable: boolean,
  negated: boolean,
): Where {
  if (operator === 'isNull') return { [field]: (operand === true) === negated ? { not: null } : null };
  if (isTextOperator(operator)) {
    const condition = textCondition(field, { operator, text: String(operand), ignoreCase }, negated);
    return negated ? orNull(field, condition, nullable) : condition;
  }
  const inverse = inverses[operator];
  const isDenial = operator === 'ne' || operator === 'notIn';
  const positive = isDenial && inverse ? inverse : operator;
  if (isDenial !== negated) return orNull(field, denied(field, positive, operand), nullable);
  return affirmed(field, positive, operand);
}

const inverses: Record<string, string> = { ne: 'eq', notIn: 'in' };

function affirmed(field: string, operator: string, operand: unknown): Where {
  switch (operator) {
    case 'eq':
      return { [field]: exact(operand) };
    case 'in':
      return { [field]: { in: exactNumbers(asList(operand)) } };
    default:
      return { [field]: { [operator]: exact(operand) } };
  }
}

/** The negation of a comparison, for values that are not null. */
function denied(field: string, operator: string, operand: unknown): Where {
  switch (operator) {
    case 'eq':
      return { [field]: { not: exact(operand) } };
    case 'in':
      return { [field]: { notIn: exactNumbers(asList(operand)) } };
    default:
      return { [field]: { [opposites[operator] ?? operator]: exact(operand) } };
  }
}

const opposites: Record<string, string> = { lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' };

const orNull = (field: string, where: Where, nullable: boolean): Where =>
  nullable ? { OR: [{ [field]: null }, where] } : where;

const exact = (value: unknown): unknown => (typeof value === 'number' ? exactNumber(value) : value);

const asFilter = (value: unknown): Filter => (typeof value === 'object' && value !== null ? { ...value } : {});
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Conditions on parts of texts: `contains`, `startsWith`, `endsWith`. */
export const textOperators = ['contains', 'startsWith', 'endsWith'] as const;

export type TextOperator = (typeof textOperators)[number];

export const isTextOperator = (operator: string): operator is TextOperator =>
  textOperators.some((each) => each === operator);

interface TextCondition {
  operator: TextOperator;
  text: string;
  ignoreCase: boolean;
}

/** The condition on a field, or its negation for values that are not null. */
function textCondition(field: string, { operator, text, ignoreCase }: TextCondition, isDenied: boolean): Where {
  if (operator === 'startsWith' && !ignoreCase) return range(field, text, isDenied);
  const pattern = { [operator]: ignoreCase ? patternOf(text) : escaped(text) };
  return { [field]: isDenied ? { not: pattern } : pattern };
}

/** Texts with a prefix are a range, which an index supports. */
function range(field: string, prefix: string, isDenied: boolean): Where {
  const end = afterPrefix(prefix);
  if (!isDenied) return { [field]: { gte: prefix, ...(end === undefined ? {} : { lt: end }) } };
  const before = { [field]: { lt: prefix } };
  return end === undefined ? before : { OR: [before, { [field]: { gte: end } }] };
}

function patternOf(text: string): string {
  const ignored = ignoredCase(text);
  const pattern = escaped(ignored.text);
  return ignored.from === '' ? pattern : markedPattern({ ...ignored, text: pattern });
}

/** Prisma passes wildcards on to LIKE; both databases use the backslash as escape. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

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
