/**
 * What a filter means: a tree of comparisons, which is written as SQL (`condition.ts`) and for Prisma (`delegate.ts`), decided in this
 * process for records of the past and for streams, and looked through for what it leads to.
 *
 * A filter is always true or false, never unknown as in SQL: null equals never, contains never, and is neither less nor
 * greater, so `ne`, `notIn` and `not` are true for it. Negations are therefore pushed down to the single comparisons, each of
 * which handles null.
 */
import { type IgnoredCase, ignoredCase } from '../database/ignored-case.js';
import type { Lines, Link, Parent, Resource } from '../model/resource.js';

/**
 * A filter as in the inputs: `{ and, or, not, <field>: { eq … }, <lines>: { some, every, none }, <parent>: { … } }`.
 */
export type Filter = Readonly<Record<string, unknown>>;

export type Condition = Joined | Comparison | Related;

/** All of them, or one of them at least: without any, it is always true or never. */
interface Joined {
  kind: 'and' | 'or';
  of: readonly Condition[];
}

/** A condition on one field. All but `null` are false where there is no value, also those with `isNot`. */
export type Comparison = { field: string } & (
  | { kind: 'compare'; operator: Sign; value: unknown }
  | { kind: 'in'; values: readonly unknown[]; isNot: boolean }
  | { kind: 'part'; operator: TextOperator; part: IgnoredCase; isNot: boolean }
  | { kind: 'null'; isNot: boolean }
  /** The text is short enough to name a record; only SQL asks for it, so that an index finds it. */
  | { kind: 'short' }
);

/** A condition on other records. */
export type Related = { condition: Condition } /** One of the lines fulfils it; with `isNone` none of them. */ & (
  | { kind: 'lines'; to: Lines; isNone: boolean }
  /** The linked record fulfils it; with `isNone` it does not, or there is none. Prisma does not know links. */
  | { kind: 'link'; to: Link; isNone: boolean }
  /** The parent fulfils it; with `orNone` also where there is none. */
  | { kind: 'parent'; to: Parent; orNone: boolean }
);

export const everything: Condition = { kind: 'and', of: [] };
export const never: Condition = { kind: 'or', of: [] };

export const isEverything = (condition: Condition): boolean => condition.kind === 'and' && condition.of.length === 0;

export const allOf = (...of: readonly Condition[]): Condition => joined('and', of);
export const anyOf = (...of: readonly Condition[]): Condition => joined('or', of);

function joined(kind: Joined['kind'], of: readonly Condition[]): Condition {
  const [only, ...others] = of;
  return only && others.length === 0 ? only : { kind, of };
}

export const equals = (field: string, value: unknown): Condition =>
  value === null ? { kind: 'null', field, isNot: false } : { kind: 'compare', field, operator: 'eq', value };

/** All comparisons and relations in a condition, at any depth. */
export function leavesOf(condition: Condition): (Comparison | Related)[] {
  if ('of' in condition) return condition.of.flatMap(leavesOf);
  return 'to' in condition ? [condition, ...leavesOf(condition.condition)] : [condition];
}

/** The types to which a condition follows links, at any depth. They may be of other areas. */
export const linkedIn = (condition: Condition): Set<Resource> =>
  new Set(leavesOf(condition).flatMap((part) => (part.kind === 'link' ? part.to.resource : [])));

/** The same for a filter. */
export const linkedByFilter = (resource: Resource, filter: Filter | null | undefined): Set<Resource> =>
  linkedIn(conditionOf(resource, filter));

/** Whether only SQL can express a condition. */
export const isForSql = (condition: Condition): boolean =>
  leavesOf(condition).some(({ kind }) => kind === 'link' || kind === 'short');

/** The condition that the text of a link is `named`, written so that an index finds it. For undefined it is never true. */
export const namingCondition = ({ text }: Link, named: unknown): Condition =>
  named === undefined ? never : allOf(equals(text, named), { kind: 'short', field: text });

/** The condition of an optional filter, or of its negation. */
export const conditionOf = (resource: Resource, filter: Filter | null | undefined, isNot = false): Condition =>
  parsed(filter ?? {}, isNot, (name, value, isNegated) => ofMember(resource, name, value, isNegated));

/** What a member of a filter beside `and`, `or` and `not` says. */
type OfMember = (name: string, value: Filter, isNot: boolean) => Condition;

export function parsed(filter: Filter, isNot: boolean, ofMember: OfMember): Condition {
  const parts = Object.entries(filter).flatMap(([name, value]) => {
    if (value == null) return [];
    if (name === 'not') return parsed(asFilter(value), !isNot, ofMember);
    if (name !== 'and' && name !== 'or') return ofMember(name, asFilter(value), isNot);
    const each = asList(value).map((one) => parsed(asFilter(one), isNot, ofMember));
    return joined((name === 'and') !== isNot ? 'and' : 'or', each);
  });
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
  return comparisonsOf(
    name,
    resource.fields.some((field) => field.name === name && field.nullable),
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
  const { ignoreCase, ...operators } = given;
  const orNull = (condition: Condition) => (nullable ? anyOf(equals(field, null), condition) : condition);
  const one = (operator: string, operand: unknown): Condition => {
    if (operator === 'isNull') {
      const isNull = (operand === true) !== isNot;
      if (!nullable) return isNull ? never : everything;
      return { kind: 'null', field, isNot: !isNull };
    }
    if (isTextOperator(operator)) {
      const condition = ofText(field, operator, String(operand), ignoreCase === true, isNot);
      return isNot ? orNull(condition) : condition;
    }
    const isDenied = (operator === 'ne' || operator === 'notIn') !== isNot;
    const condition: Condition =
      operator === 'in' || operator === 'notIn'
        ? { kind: 'in', field, values: asList(operand), isNot: isDenied }
        : { kind: 'compare', field, operator: isNot ? opposites[signOf(operator)] : signOf(operator), value: operand };
    return isDenied ? orNull(condition) : condition;
  };
  const parts = Object.entries(operators).flatMap(([operator, operand]) =>
    operand == null ? [] : one(operator, operand),
  );
  return joined(isNot ? 'or' : 'and', parts);
}

const opposites = { eq: 'ne', ne: 'eq', lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt' } as const;
export type Sign = keyof typeof opposites;

function signOf(operator: string): Sign {
  const isSign = (text: string): text is Sign => Object.hasOwn(opposites, text);
  if (!isSign(operator)) throw new Error(`The filters have an operator that is not known here: ${operator}`);
  return operator;
}

const asFilter = (value: unknown): Filter => (typeof value === 'object' && value !== null ? { ...value } : {});
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Conditions on parts of texts. */
export const textOperators = ['contains', 'startsWith', 'endsWith'] as const;

export type TextOperator = (typeof textOperators)[number];

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

/** As part of a pattern of LIKE; both databases use the backslash as escape. */
export const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

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
