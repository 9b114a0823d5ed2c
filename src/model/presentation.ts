/**
 * How people read the records of a type: what names one, what a list shows of it, how its form is divided, and which numbers are
 * amounts in which currency. Rules say it for all types; `read-by-people.ts` says where a type differs.
 */
import { oncePer } from '../common/kept.js';
import type { Field } from './field.js';
import { isDocumentStatus } from './lifecycle.js';
import { readByPeople } from './read-by-people.js';
import type { Resource } from './resource.js';

export type Presentation = ReturnType<typeof presentationOf>;

/** What a number counts. */
export type NumberKind = 'money' | 'quantity' | 'percentage';

/** @throws if a type is said to be read by a field that it does not show */
export const presentationOf = oncePer((resource: Resource) => {
  const shown = resource.fields.filter(
    (field) => !placesLine(resource, field) && !isDocumentStatus(resource, field.name),
  );
  const [names = '', columns = ''] = readByPeople[resource.model]?.split('→') ?? [];
  /** The fields whose texts together name a record: in each place, the first that is filled. Empty for a type that has only one record. */
  const namedBy = (wordsIn(names) ?? nameAmong(resource, shown)).map((place) => place.split('|'));
  const named = namedBy.flat();
  const rest = shown.map(({ name }) => name).filter((name) => !named.includes(name));
  /** At most six fields with which a list begins, after the name. Of lines: the first columns of their grid. */
  const listed = wordsIn(columns) ?? rest.slice(0, mostListed);
  const roleOf = (name: string) => (named.includes(name) ? 'names' : listed.includes(name) ? 'listed' : undefined);
  for (const name of [...named, ...listed]) {
    if (!resource.fields.some((field) => field.name === name)) {
      throw new Error(`${resource.model} has no field ${name}: name another one in src/model/read-by-people.ts`);
    }
  }
  return { namedBy, listed, groups: groupsOf(shown, roleOf) };
});

const mostListed = 6;

/** The words of a text; undefined where it has none. */
const wordsIn = (text: string): string[] | undefined => text.match(/\S+/g) ?? undefined;

/** Whether a field says where a line stands: its number and what it belongs to. */
const placesLine = ({ kind, scope }: Resource, { name }: Field): boolean =>
  kind === 'child' && [scope, 'idx', 'parentType'].includes(name);

/** The first text that every record has and that is none of several known ones. */
function nameAmong({ kind }: Resource, fields: readonly Field[]): string[] {
  if (kind === 'singleton') return [];
  const texts = fields.filter(
    ({ type, holdsDate, knownValues }) => type === 'String' && !holdsDate && !knownValues.length,
  );
  const name = (texts.find(({ required }) => required) ?? texts[0])?.name;
  return name === undefined ? [] : [name];
}

/** What a number counts, as its description says. Undefined for texts and all other numbers. */
export function numberKindOf({ type, description }: Field): NumberKind | undefined {
  if (type !== 'Float') return undefined;
  return numberKinds.find(([, form]) => form.test(description))?.[0];
}

const numberKinds: readonly (readonly [NumberKind, RegExp])[] = [
  ['percentage', /\b0 to 100\s+percent\b/],
  ['money', /^(?!How many).*\bin\s+the\s+([\w']+\s+)?currency\b/s],
  ['quantity', /^(Quantity|Weight|Number of (units|pieces))\b/],
];

/**
 * The field with the currency of an amount: of the same record or, where a line has none, of its document. Undefined for amounts in
 * the currency of the company, which no record names.
 */
export function currencyOf(resource: Resource, field: Field): string | undefined {
  if (numberKindOf(field) !== 'money' || /\bcompany's\s+currency\b/.test(field.description)) return undefined;
  return [resource, ...resource.parents.map((parent) => parent.resource)]
    .flatMap(({ fields }) => fields.map(({ name }) => name))
    .find((name) => /^(account)?currency$/i.test(name));
}

/** The groups of a form, in their order. */
const headings = [
  'What it is',
  'Parties',
  'Items and quantities',
  'Amounts',
  'Taxes and discounts',
  'Progress',
  'Dates and times',
  'Addresses and contacts',
  'Terms and delivery',
  'Printing and messages',
  'Marketing',
  'Amounts in the company’s currency',
  'Options',
  'More',
] as const;

type Heading = (typeof headings)[number];

/** What a field is to the list of its type. */
type Role = 'names' | 'listed' | undefined;

/** The heading under which a field stands: that of the first rule that fits. */
const rules: readonly (readonly [Heading, RegExp | ((field: Field, role: Role) => boolean)])[] = [
  ['Amounts in the company’s currency', /^base[A-Z]/],
  ['Marketing', /^utm[A-Z]|^couponCode$|[sS]alesPartner$/],
  ['Taxes and discounts', /[tT]ax|[dD]iscount|PricingRule$|^otherCharges/],
  ['Terms and delivery', /[tT]erms|^(tcName|incoterm|namedPlace|shippingRule)$/],
  ['Addresses and contacts', /([aA]ddress|[cC]ontact)(?!es)/],
  ['Printing and messages', /[pP]rint|^(letterHead|language|timezone|dateFormat|pdfName|orientation|inWords)$/],
  ['Printing and messages', /^(email|public)[A-Z]|^(subject|body|sender|redirectUrl|groupSameItems)$/],
  ['Options', ({ type }) => type === 'Boolean'],
  ['Amounts', (field) => numberKindOf(field) === 'money'],
  ['Amounts', /[cC]urrency$|(conversion|exchange|Conversion)Rate$|PriceList$|^rmCost/],
  ['Parties', /^(party|quotationTo|customer|supplier|employee)(?!Warehouse|Quotation)/],
  ['Parties', /^(company|user|territory|department|salesPerson|collectionName)$/],
  ['What it is', (_, role) => role === 'names'],
  ['Progress', (field) => numberKindOf(field) === 'percentage'],
  ['Dates and times', ({ holdsDate }) => holdsDate],
  ['Dates and times', /([dD]ate|Time|Till|Mins|[hH]ours)$|^(time|warranty|downtime)/],
  ['Items and quantities', (field) => numberKindOf(field) === 'quantity'],
  ['Items and quantities', /[iI]tem|[sS]erial|[bB]atch|[uU]om$|[wW]arehouse|Good$|[bB]om|Factor$/],
  ['What it is', ({ required, knownValues }, role) => required || knownValues.length > 0 || role === 'listed'],
  ['What it is', /^(title|description|remarks|note|project|operation|work|asset|reference|voucher|costCenter|actions)/],
  ['What it is', /^(sales|purchase|production|parent)[A-Z]/],
];

const headingOf = (field: Field, role: Role): Heading =>
  rules.find(([, rule]) => (rule instanceof RegExp ? rule.test(field.name) : rule(field, role)))?.[0] ?? 'More';

/** The form: each field once, but the state of a document and what places a line. What a form of few fields has, and what would stand in a group by itself, is in the first group. */
function groupsOf(fields: readonly Field[], roleOf: (name: string) => Role) {
  const [first] = headings;
  const found = fields.map((field) => headingOf(field, roleOf(field.name)));
  const isSmall = (heading: Heading) =>
    fields.length <= fewFields || found.filter((each) => each === heading).length === 1;
  return headings.flatMap((heading) => {
    const isHere = (each: Heading = first) => (isSmall(each) ? first : each) === heading;
    const names = fields.filter((_, index) => isHere(found[index])).map(({ name }) => name);
    return names.length === 0 ? [] : [{ heading, fields: names }];
  });
}

const fewFields = 8;
