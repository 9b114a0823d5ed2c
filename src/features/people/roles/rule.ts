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
import { enumName } from '../../../model/names.js';
import type { Resource } from '../../../model/resource.js';
import { type Condition, never } from '../../../query/condition.js';
import { comparisonsOf, type Filter, parsed } from '../../../query/filter.js';

/** A checked filter, in which some values are places. */
export interface RoleRule {
  resource: Resource;
  filter: Filter;
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

/** Never true where anything that it asks for is missing, empty or of another type: also under `not`. */
export function conditionOfRule({ resource, filter }: RoleRule, known: Known): Condition {
  const whole = filled(filter, known);
  if (!isObject(whole)) return never;
  return parsed(whole, false, (name, comparisons, isNot) =>
    comparisonsOf(name, isNullable(resource, name), comparisons, isNot),
  );
}

/** Undefined as a whole if one value of it cannot be used. */
function filled(part: unknown, known: Known): unknown {
  if (part instanceof Place) return part.valueIn(known);
  if (Array.isArray(part)) {
    const items = part.map((each) => filled(each, known));
    return items.includes(undefined) ? undefined : items;
  }
  if (!isObject(part)) return part;
  const entries = Object.entries(part).map(([name, each]) => [name, filled(each, known)] as const);
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}

/** Stands in a filter for a value that is known of the caller only. */
class Place {
  constructor(
    readonly name: string,
    private readonly type: Column['type'],
    private readonly operator: string,
    private readonly isList: boolean,
  ) {}

  valueIn(known: Known): unknown {
    const value = known.get(this.name);
    if (!this.isList) return this.#usable(value);
    if (!Array.isArray(value) || value.length === 0 || value.length > mostOperands) return undefined;
    const values = value.map((each) => this.#usable(each));
    return values.includes(undefined) ? undefined : values;
  }

  #usable(value: unknown): unknown {
    return value === '' ? undefined : operandOf(this.type, this.operator, value);
  }
}

/** A value as conditions have it; undefined for one that does not fit the type of the field. */
function operandOf(type: Column['type'], operator: string, value: unknown): unknown {
  switch (type) {
    case 'Boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'Int':
      return typeof value === 'number' && isInt32(value) ? value : undefined;
    case 'Float':
      return Number.isFinite(value) ? value : undefined;
    case 'DocumentStatus':
      return statuses.find((status) => enumName(status) === value);
    default:
      if (typeof value !== 'string' || !isStorableText(value)) return undefined;
      return hasLimit.has(operator) && value.length > longestPart ? undefined : value;
  }
}

const hasLimit: ReadonlySet<string> = new Set(['contains', 'endsWith']);

const meaningOf = (type: Column['type'], operator: string): string =>
  hasLimit.has(operator) ? `a text of ${longestPart} characters at most` : meanings[type];

const meanings: Record<Column['type'], string> = {
  String: 'a text',
  ID: 'a text',
  DateTime: 'a text',
  Int: 'a whole number of 32 bits',
  Float: 'a number',
  Boolean: 'true or false',
  DocumentStatus: `one of ${statuses.map(enumName).join(', ')}`,
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
export type Objecting = (place: string, problem: string) => void;

/** Checks the filter of a rule, and notes in `asked` what it asks of a caller. What is returned is right if nothing was objected to. */
export function checkRule(
  resource: Resource,
  given: Filter,
  at: string,
  asked: Set<string>,
  object: Objecting,
): RoleRule {
  const compared = comparedOf(resource);

  function filterIn(value: unknown, place: string): unknown {
    if (!isObject(value))
      return void object(place, 'must be an object of conditions, such as {"company": {"eq": "ACME"}}');
    const entries = Object.entries(value);
    if (entries.length === 0 && place !== at) object(place, 'is empty; leave it out, or say what is compared');
    return Object.fromEntries(entries.map(([name, each]) => [name, memberIn(name, each, `${place}.${name}`)]));
  }

  function memberIn(name: string, value: unknown, place: string): unknown {
    if (name === 'not') return filterIn(value, place);
    if (name === 'and' || name === 'or') return listIn(value, place, filterIn);
    const type = compared.get(name);
    if (type) return comparisonsIn(type, value, place);
    return void object(place, whyNot(resource, name));
  }

  function listIn(value: unknown, place: string, itemIn: (item: unknown, place: string) => unknown): unknown {
    if (Array.isArray(value) && value.length > 0 && value.length <= mostOperands)
      return value.map((item, index) => itemIn(item, `${place}.${index + 1}`));
    return void object(place, `must be a list with 1 to ${mostOperands} entries`);
  }

  function comparisonsIn(type: Column['type'], value: unknown, place: string): unknown {
    if (!isObject(value) || Object.keys(value).length === 0)
      return void object(place, 'must be an object with a comparison, such as {"eq": …}');
    const known: readonly string[] = operatorsOf[type];
    if ('ignoreCase' in value && !['contains', 'startsWith', 'endsWith'].some((each) => each in value))
      object(`${place}.ignoreCase`, 'needs `contains`, `startsWith` or `endsWith` beside it');
    const entries = Object.entries(value).map(([operator, operand]) => {
      const there = `${place}.${operator}`;
      if (known.includes(operator)) return [operator, operandIn(type, operator, operand, there)];
      object(there, isNone('comparison of this field', operator, known));
      return [];
    });
    return Object.fromEntries(entries);
  }

  function operandIn(type: Column['type'], operator: string, value: unknown, place: string): unknown {
    if (operator === 'isNull' || operator === 'ignoreCase') {
      return typeof value === 'boolean' ? value : void object(place, 'must be true or false');
    }
    const one = (isList: boolean) => (item: unknown, there: string) => valueIn(type, operator, item, there, isList);
    const isSeveral = operator === 'in' || operator === 'notIn';
    return isSeveral && typeof value !== 'string' ? listIn(value, place, one(false)) : one(isSeveral)(value, place);
  }

  function valueIn(type: Column['type'], operator: string, value: unknown, place: string, isList: boolean): unknown {
    const isPlace = typeof value === 'string' && value.startsWith('$') && !value.startsWith('$$');
    if (isPlace) return placeIn(value.slice(1), type, operator, place, isList);
    if (isList) return void object(place, 'must be a list, or a claim that is one, such as "$claims.companies"');
    if (value === null) return void object(place, 'must not be null; ask with `isNull`');
    const usable = operandOf(type, operator, typeof value === 'string' ? value.replace(/^\$\$/, '$') : value);
    return usable === undefined
      ? void object(place, `must be ${meaningOf(type, operator)}, as the field is of type ${type}`)
      : usable;
  }

  function placeIn(name: string, type: Column['type'], operator: string, place: string, isList: boolean): unknown {
    const isText = type === 'String' || type === 'ID';
    if (name === subjectName ? isList || !isText : !(name.startsWith(claim) && name.length > claim.length)) {
      return void object(place, name === subjectName ? noText : noName);
    }
    asked.add(name);
    return new Place(name, type, operator, isList);
  }

  const filter = filterIn(given, at);
  return { resource, filter: isObject(filter) ? filter : {} };
}

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
