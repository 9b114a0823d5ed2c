/**
 * A rule of a role: a filter as lists take it, with places for what is known of the caller. One form checks the filter when
 * the file is read, with its places, and for each caller, with values in them. It takes only what a record's own columns
 * decide: streams and history decide rules in memory.
 */
import * as z from 'zod';
import { groupedBy } from '../../../common/grouped.js';
import { isObject } from '../../../common/is-object.js';
import { oncePer } from '../../../common/kept.js';
import { formed, type Objecting } from '../../../common/read-form.js';
import { claimIn, type Person } from '../../../gateway/access/grants.js';
import { type Column, columnsOf, mostOperands, operatorsOf } from '../../../graphql/types/columns.js';
import { isStorableText } from '../../../model/field.js';
import { statuses } from '../../../model/lifecycle.js';
import { longestPart } from '../../../model/limits.js';
import { enumName, wordOf } from '../../../model/names.js';
import type { Resource } from '../../../model/resource.js';
import { type Condition, leavesOf, never, textOperators } from '../../../query/condition.js';
import { conditionOf, type Filter } from '../../../query/filter.js';
import type { RuledAction } from '../../../query/rights.js';

export interface RoleRule {
  resource: Resource;
  action: RuledAction;
  /** Where it stands in the file. */
  place: readonly string[];
  /** As it stands there. */
  text: string;
  /** The names of what it asks of a caller: `subject`, `claims.company`. */
  asked: readonly string[];
  /** With places for what is known of the caller only. */
  condition: Condition;
}

/** A rule as the file has it; undefined if something is wrong with it. */
export function readRule(
  at: Pick<RoleRule, 'resource' | 'action' | 'place'>,
  given: unknown,
  object: Objecting,
): RoleRule | undefined {
  if (isObject(given) && Object.keys(given).length === 0)
    object(`\`${at.place.join('.')}\` is empty; write \`true\` for every record`);
  const text = JSON.stringify(given);
  const asked = new Set<string>();
  const withPlaces = filled(text, (name) => {
    asked.add(name);
    return new Place(name);
  });
  const filter = formed(formOfRule(at.resource), withPlaces, at.place, object);
  return filter && { ...at, text, asked: [...asked], condition: conditionOf(at.resource, filter) };
}

/** Stands for a value that is known of the caller only. */
class Place {
  constructor(readonly name: string) {}
}

/** A filter with values in its places. */
const filled = (text: string, valueFor: (name: string) => unknown): unknown =>
  JSON.parse(text, (_, value) => {
    if (typeof value !== 'string' || !value.startsWith('$')) return value;
    return value.startsWith('$$') ? value.slice(1) : valueFor(value.slice(1));
  });

/** What is known of a person; null for what cannot be used. */
export function askedOf({ subject, claims }: Person, name: string): unknown {
  const value = name === 'subject' ? subject : claimIn(claims, name.slice('claims.'.length));
  const usable = (each: unknown) => (each === '' || typeof each === 'object' ? null : (each ?? null));
  return Array.isArray(value) ? value.map(usable) : usable(value);
}

/** Never true where anything that it asks for is missing, empty or of another type: also under `not`. */
export function conditionOfRule(rule: RoleRule, person: Person): Condition {
  if (rule.asked.length === 0) return rule.condition;
  const given = filled(rule.text, (name) => askedOf(person, name));
  const { data } = formOfRule(rule.resource).safeParse(given);
  return data ? conditionOf(rule.resource, data) : never;
}

/** What a rule asks for and cannot use. */
export const unusableIn = ({ resource, text, asked }: RoleRule, person: Person): string[] =>
  asked.filter((name) => {
    const alone = filled(text, (each) => (each === name ? askedOf(person, name) : new Place(each)));
    return !formOfRule(resource).safeParse(alone).success;
  });

/**
 * How much all rules of a caller about one action of a type may hold together: no statement is then deeper than SQLite takes,
 * or binds more values, whatever types it reads. With an action what may be read is compared too, up to twice.
 */
const most = { comparisons: 100, values: 1_000 };

/** How many comparisons one with a part of a text counts as: it goes through the whole text. */
const ofPart = 10;

/** Says which rules are too large together, for a person or as they stand in the file; undefined if none are. */
export function tooLarge(rules: readonly RoleRule[], person?: Person): string | undefined {
  const countOf = (value: unknown) => {
    const known = person && value instanceof Place ? askedOf(person, value.name) : value;
    return Array.isArray(known) ? known.length : 1;
  };
  for (const [at, together] of groupedBy(rules, ({ resource, action }) => `${resource.model}.${action}`)) {
    const leaves = together.flatMap(({ condition }) => leavesOf(condition));
    const compared = leaves.flatMap((leaf) => ('values' in leaf ? leaf.values : 1));
    const values = compared.reduce((sum: number, value) => sum + countOf(value), 0);
    const comparisons = leaves.reduce((sum, { kind }) => sum + (kind === 'part' ? ofPart : 1), 0);
    if (comparisons > most.comparisons)
      return `the rules for ${at} are ${comparisons} comparisons together, and ${most.comparisons} are possible; one with a part of a text counts as ${ofPart}`;
    if (values > most.values)
      return `the rules for ${at} compare with ${values} values together, and ${most.values} are possible`;
  }
}

const formOfRule = oncePer((resource: Resource): z.ZodType<Filter> => {
  const inner = z.lazy(() => formOfRule(resource).refine(isNotEmpty, ifNamed(mustBeFilter)));
  const several = z.array(inner, mustBeFilters).min(1, mustBeFilters).max(mostOperands, mustBeFilters);
  const { fields, lines, parents, links, kind } = resource;
  const isOwn = (name: string) => fields.some((field) => field.name === name && !field.secret);
  const columns = columnsOf(resource).map(({ name, type }) => [name, isOwn(name) ? comparisonsOf(type) : notOwn]);
  const related = [...lines, ...parents, ...links].map(({ field }) => [field, notOwn]);
  const members = {
    ...Object.fromEntries([...columns, ...related]),
    ...(kind !== 'child' && { createdBy: comparisonsOf('String') }),
    ...{ and: several, or: several, not: inner },
  };
  const filter = z.strictObject(members, typeIs(mustBeFilter)).partial();
  return z.preprocess((given) => (given === true ? {} : given), filter);
});

const notOwn = z.never(
  'cannot be asked for: a rule compares what a record holds itself, because streams and history decide it without others, the clock and credentials',
);
const mustBeFilter = 'must be a filter such as {"company": {"eq": "$claims.company"}}';
const mustBeFilters = `must be a list with 1 to ${mostOperands} filters`;

const isNotEmpty = (given: object): boolean => Object.keys(given).length > 0;

/** Not said where names are unknown, of which nothing is left. */
const ifNamed = (error: string) => ({ error, when: ({ issues }: { issues: unknown[] }) => issues.length === 0 });

/** Says it of a value of another type only, and not of members of an object. */
const typeIs = (text: string) => ({
  error: ({ code }: { code: string }) => (code === 'invalid_type' ? text : undefined),
});

const comparisonsOf = (type: Column['type']) =>
  z
    .strictObject(
      Object.fromEntries(operatorsOf[type].map((operator) => [operator, operandOf(type, operator)])),
      typeIs(mustCompare),
    )
    .partial()
    .refine(isNotEmpty, ifNamed(mustCompare))
    .refine((given) => !('ignoreCase' in given) || textOperators.some((each) => each in given), {
      path: ['ignoreCase'],
      error: `needs one of ${textOperators.join(', ')} beside it`,
    });

const mustCompare = 'must be an object with a comparison, such as {"eq": …}';

/** The form of what a field is compared with. */
export function operandOf(type: Column['type'], operator: string): z.ZodType {
  if (operator === 'isNull' || operator === 'ignoreCase') return z.boolean('must be true or false');
  const isPart = operator === 'contains' || operator === 'endsWith';
  const places = forms[type] === text ? /^(claims\..|subject$)/ : /^claims\../;
  const must = `must be of the type ${type}, or a claim such as "$claims.company"; a \`$\` at the beginning of another text is written \`$$\``;
  const one = orPlace(
    isPart ? text.max(longestPart, `must have ${longestPart} characters at most`) : forms[type],
    places,
    must,
  );
  if (operator !== 'in' && operator !== 'notIn') return one;
  const list = `must be a list with 1 to ${mostOperands} of the type ${type}, or a claim that is one, such as "$claims.companies"`;
  return orPlace(z.array(one).min(1, list).max(mostOperands, list), /^claims\../, list);
}

const orPlace = (form: z.ZodType, places: RegExp, must: string) =>
  z.union([z.instanceof(Place, { error: must }).refine(({ name }) => places.test(name), must), form], must);

const text = z.string().refine(isStorableText, 'must be a text that a database can store');
const forms: Record<Column['type'], z.ZodType> = {
  ...{ String: text, ID: text, DateTime: text },
  ...{ Int: z.int32(), Float: z.number(), Boolean: z.boolean() },
  DocumentStatus: z.enum(statuses.map(enumName)).transform(wordOf),
};
