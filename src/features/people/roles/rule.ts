/**
 * A rule of a role: a filter as lists take it, with places for what is known of the caller. It is checked when the file is
 * read, and filled in for a caller. Only what a record's own columns decide: streams and history decide it in memory.
 */
import { isObject } from '../../../common/is-object.js';
import { oncePer } from '../../../common/kept.js';
import { nearest } from '../../../common/nearest.js';
import type { Claims, Person } from '../../../gateway/access/grants.js';
import { type Column, columnsOf, mostOperands, operatorsOf } from '../../../graphql/types/columns.js';
import { isInt32, isStorableText } from '../../../model/field.js';
import { statuses } from '../../../model/lifecycle.js';
import { longestPart } from '../../../model/limits.js';
import { enumName, wordOf } from '../../../model/names.js';
import type { Resource } from '../../../model/resource.js';
import { type Condition, never, textOperators } from '../../../query/condition.js';
import { comparisonsOf, type Filter, parsed } from '../../../query/filter.js';

/** A checked filter, in which some values are places. */
export interface RoleRule {
  resource: Resource;
  filter: Filter;
  /** As it stands in the file. */
  text: string;
}

/** What is known of a caller, by the names that places ask for: `subject`, `claims.company`. */
export type Known = ReadonlyMap<string, unknown>;

export const knownOf = (asked: Iterable<string>, { subject, claims }: Person): Known =>
  new Map(
    Array.from(asked, (name) => [name, name === subjectName ? subject : claimIn(claims, name.slice(claim.length))]),
  );

const subjectName = 'subject';
const claim = 'claims.';

/** A claim whose name has dots itself comes before one within others. */
function claimIn(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const dot = name.indexOf('.');
  const outer = dot < 0 || !Object.hasOwn(claims, name.slice(0, dot)) ? undefined : claims[name.slice(0, dot)];
  return isObject(outer) ? claimIn(outer, name.slice(dot + 1)) : undefined;
}

/**
 * Never true where anything that it asks for is missing, empty or of another type: also under `not`. The names of that are noted in
 * `unusable`.
 */
export function conditionOfRule({ resource, filter }: RoleRule, known: Known, unusable?: Set<string>): Condition {
  const whole = filled(filter, known, unusable);
  if (!isObject(whole)) return never;
  return parsed(whole, false, (name, comparisons, isNot) =>
    comparisonsOf(name, isNullable(resource, name), comparisons, isNot),
  );
}

/** The fields that a rule compares. */
export const comparedIn = (filter: unknown): string[] =>
  Object.entries(isObject(filter) ? filter : {}).flatMap(([name, value]) => {
    if (name === 'not') return comparedIn(value);
    return name !== 'and' && name !== 'or' ? name : Array.isArray(value) ? value.flatMap(comparedIn) : [];
  });

/** A value that is known of the caller only: undefined where it cannot be used. */
class Place {
  constructor(
    readonly name: string,
    readonly valueIn: (known: Known) => unknown,
  ) {}
}

/** Undefined as a whole if one value of it cannot be used. */
function filled(part: unknown, known: Known, unusable?: Set<string>): unknown {
  if (part instanceof Place) {
    const value = part.valueIn(known);
    if (value === undefined) unusable?.add(part.name);
    return value;
  }
  if (Array.isArray(part)) return allUsable(part.map((each) => filled(each, known, unusable)));
  if (!isObject(part)) return part;
  const values = allUsable(Object.values(part).map((each) => filled(each, known, unusable)));
  return values && Object.fromEntries(Object.keys(part).map((name, index) => [name, values[index]]));
}

const allUsable = (values: unknown[]) => (values.includes(undefined) ? undefined : values);

function placeOf(name: string, isList: boolean, type: Column['type'], operator: string): Place {
  const usable = (value: unknown) => (value === '' ? undefined : operandOf(type, operator, value));
  return new Place(name, (known) => {
    const value = known.get(name);
    if (!isList) return usable(value);
    const isUsable = Array.isArray(value) && value.length > 0 && value.length <= mostOperands;
    return isUsable ? allUsable(value.map(usable)) : undefined;
  });
}

/** A value as conditions have it; undefined for one that does not fit the type of the field. */
export function operandOf(type: Column['type'], operator: string, value: unknown): unknown {
  if (!forms[type].fits(value) || (hasLimit.has(operator) && String(value).length > longestPart)) return undefined;
  return type === 'DocumentStatus' ? wordOf(String(value)) : value;
}

const hasLimit: ReadonlySet<string> = new Set(['contains', 'endsWith']);

const text = { meaning: 'a text', fits: (value: unknown) => typeof value === 'string' && isStorableText(value) };
const states: readonly unknown[] = statuses.map(enumName);
const forms: Record<Column['type'], { meaning: string; fits(value: unknown): boolean }> = {
  ...{ String: text, ID: text, DateTime: text },
  Int: { meaning: 'a whole number of 32 bits', fits: (value) => typeof value === 'number' && isInt32(value) },
  Float: { meaning: 'a number', fits: Number.isFinite },
  Boolean: { meaning: 'true or false', fits: (value) => typeof value === 'boolean' },
  DocumentStatus: { meaning: `one of ${states.join(', ')}`, fits: (value) => states.includes(value) },
};

/** The fields that rules compare, with their types: documented ones, and who has made the record. */
const comparedOf = oncePer((resource: Resource): ReadonlyMap<string, Column['type']> => {
  const isOpen = new Set(resource.fields.filter(({ secret }) => !secret).map(({ name }) => name));
  const columns = columnsOf(resource).filter(({ name }) => isOpen.has(name));
  const all = columns.map(({ name, type }) => [name, type] as const);
  return new Map(resource.kind === 'child' ? all : [...all, [createdBy, 'String']]);
});

const createdBy = 'createdBy';

const isNullable = ({ fields }: Resource, name: string): boolean =>
  name === createdBy || fields.some((field) => field.name === name && field.nullable);

/** Hears what is wrong at a place of the file, as the end of a sentence that begins with the place. */
export type Objecting = (place: string, problem: string) => undefined;

/** Checks the filter of a rule, and notes in `asked` what it asks of a caller. It is a right one if nothing was objected to. */
export function checkRule(
  resource: Resource,
  given: Filter,
  at: string,
  asked: Set<string>,
  object: Objecting,
): RoleRule {
  const compared = comparedOf(resource);
  let values = 0;

  function filterIn(value: unknown, place: string): Record<string, unknown> {
    const entries = Object.entries(isObject(value) ? value : {});
    if (entries.length === 0 && place !== at)
      object(place, 'must be an object with conditions, such as {"company": {"eq": "ACME"}}');
    return Object.fromEntries(entries.map(([name, each]) => [name, memberIn(name, each, `${place}.${name}`)]));
  }

  function memberIn(name: string, value: unknown, place: string): unknown {
    if (name === 'not') return filterIn(value, place);
    if (name === 'and' || name === 'or') return listIn(value, place, filterIn);
    const type = compared.get(name);
    return type ? comparisonsIn(type, value, place) : object(place, whyNot(resource, name));
  }

  function listIn(value: unknown, place: string, itemIn: (item: unknown, place: string) => unknown): unknown {
    if (Array.isArray(value) && value.length > 0 && value.length <= mostOperands)
      return value.map((item, index) => itemIn(item, `${place}.${index + 1}`));
    return object(place, `must be a list with 1 to ${mostOperands} entries`);
  }

  function comparisonsIn(type: Column['type'], value: unknown, place: string): unknown {
    if (!isObject(value) || Object.keys(value).length === 0)
      return object(place, 'must be an object with a comparison, such as {"eq": …}');
    const known: readonly string[] = operatorsOf[type];
    if ('ignoreCase' in value && !textOperators.some((each) => each in value))
      object(`${place}.ignoreCase`, 'needs `contains`, `startsWith` or `endsWith` beside it');
    const operandOfEach = ([operator, operand]: [string, unknown]) => {
      const there = `${place}.${operator}`;
      if (!known.includes(operator)) object(there, isNone('comparison of this field', operator, known));
      return [operator, operandIn(type, operator, operand, there)];
    };
    return Object.fromEntries(Object.entries(value).map(operandOfEach));
  }

  function operandIn(type: Column['type'], operator: string, value: unknown, place: string): unknown {
    values += Array.isArray(value) ? value.length : 1;
    if (operator === 'isNull' || operator === 'ignoreCase')
      return typeof value === 'boolean' ? value : object(place, 'must be true or false');
    const isSeveral = operator === 'in' || operator === 'notIn';
    if (isSeveral && typeof value !== 'string') return listIn(value, place, (...item) => valueIn(...item, false));
    return valueIn(value, place, isSeveral);

    function valueIn(one: unknown, there: string, isList: boolean): unknown {
      const isText = typeof one === 'string';
      if (isText && /^\$(?!\$)/.test(one)) return placeIn(one.slice(1), there, isList);
      if (isList) return object(there, 'must be a list, or a claim that is one, such as "$claims.companies"');
      if (one === null) return object(there, 'must not be null; ask with `isNull`');
      const usable = operandOf(type, operator, isText ? one.replace(/^\$\$/, '$') : one);
      const meaning = hasLimit.has(operator) ? `a text of ${longestPart} characters at most` : forms[type].meaning;
      return usable ?? object(there, `must be ${meaning}, as the field is of type ${type}`);
    }

    function placeIn(name: string, there: string, isList: boolean): unknown {
      if (name === subjectName && (isList || forms[type] !== text)) return object(there, noText);
      if (name !== subjectName && !/^claims\../.test(name)) return object(there, noName);
      asked.add(name);
      return placeOf(name, isList, type, operator);
    }
  }

  const filter = filterIn(given, at);
  // Several roles are joined, and each statement has the rules of all types that it reads.
  if (values > mostValues)
    object(at, `compares with ${values} values; ${mostValues} are possible, more by a list of a claim`);
  return { resource, filter, text: JSON.stringify(given) };
}

const mostValues = 200;

const noText = 'cannot be `$subject`, which is one text: compare it with a field of texts, by `eq` for example';
const noName =
  'begins with `$` and is neither `$claims.` with the name of a claim nor `$subject`; a text that begins with `$` is written with `$$`';

/** Why a rule cannot ask for a member of filters that lists know, or for what they don't know either. */
function whyNot(resource: Resource, name: string): string {
  const isIt = ({ field }: { field: string }) => field === name;
  if (resource.lines.some(isIt)) return `asks for lines; ${ownOnly}`;
  if (resource.parents.some(isIt)) return `asks for the document of a line; ${ownOnly}`;
  if (resource.links.some(isIt)) return `follows a link; ${ownOnly}`;
  if (name === 'createdAt' || name === 'updatedAt')
    return 'asks for a time; what is visible must not change by the clock alone. Compare other fields';
  if (name === 'id' || name === 'version') return 'is given by the gateway; compare other fields';
  if (resource.fields.some((field) => field.name === name))
    return 'holds a credential, which the journal masks, so that streams could not decide the rule; compare other fields';
  return isNone(`field of ${resource.model} that a rule compares`, name, comparedOf(resource).keys());
}

const ownOnly =
  'a rule compares the own fields of a record only, because streams and history decide it without reading others';

/** `is no scope; did you mean …?`, for a name of the file that is not known. */
export function isNone(what: string, name: string, known: Iterable<string>): string {
  const meant = nearest(name, known);
  return `is no ${what}${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`;
}
