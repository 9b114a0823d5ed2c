/** Everything in the schema says what it is, in more words than its name. */
import {
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../support/schema.js';

interface Described {
  /** Its place: `AssetRepair.consumedItems(limit)`. */
  path: string;
  name: string;
  description: string;
}

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const builtIn = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);
const own = types.filter(({ name }) => !builtIn.has(name));

test.each([
  ['type', own.map(({ name, description }) => ({ path: name, name, description: description ?? '' }))],
  ['field', own.flatMap((type) => fieldsOf(type))],
  ['argument', own.flatMap((type) => argumentsOf(type))],
  ['input field', own.flatMap((type) => inputFieldsOf(type))],
  ['enum value', own.flatMap((type) => enumValuesOf(type))],
])('every %s is described by a sentence that says more than its name', (_, described: Described[]) => {
  expect(described.length).toBeGreaterThan(0);
  expect(described.filter((item) => !isSentence(item.description)).map(shown)).toEqual([]);
  expect(described.filter(repeatsItsName).map(shown)).toEqual([]);
});

test('what the test takes for a repetition', () => {
  const repeats = (name: string, description: string) => repeatsItsName({ path: name, name, description });
  expect(repeats('createAssetRepair', 'Creates an Asset Repair.')).toBe(true);
  expect(repeats('repairCost', 'The cost of the repair.')).toBe(true);
  expect(repeats('repairCost', 'Cost of outside services and labour.')).toBe(false);
});

function fieldsOf(type: GraphQLNamedType): Described[] {
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).map((field) => describedIn(type.name, field));
}

function argumentsOf(type: GraphQLNamedType): Described[] {
  if (!isObjectType(type)) return [];
  const root = type.name === 'Mutation' || type.name === 'Subscription' ? type.name : 'Query';
  return Object.values(type.getFields()).flatMap((field) =>
    field.args.map(({ name, description }) => ({
      path: `${type.name}.${field.name}.${name}`,
      name,
      description: description ?? sentenceOn(name, root),
    })),
  );
}

function inputFieldsOf(type: GraphQLNamedType): Described[] {
  return isInputObjectType(type) ? Object.values(type.getFields()).map((field) => describedIn(type.name, field)) : [];
}

function enumValuesOf(type: GraphQLNamedType): Described[] {
  return isEnumType(type) ? type.getValues().map((value) => describedIn(type.name, value)) : [];
}

function describedIn(owner: string, { name, description }: { name: string; description?: string | null }): Described {
  return { path: `${owner}.${name}`, name, description: description ?? descriptionElsewhere(owner, name) };
}

/**
 * Descriptions that apply to many types: of an interface, of the type of a value, or of the type that a description
 * names.
 */
function descriptionElsewhere(owner: string, name: string): string {
  const type = schema.getType(owner);
  const said = type?.description ?? '';
  const [, model = ''] = /described at `(\w+)`\.$/.exec(said) ?? [];
  const camel = name.toLowerCase().replaceAll(/_(\w)/g, (_, one) => one.toUpperCase());
  const interfaces = isObjectType(type) ? type.getInterfaces() : [];
  const [, other = isInputObjectType(type) ? 'Query' : ''] = /as `(\w+)` describes it\.$/.exec(said) ?? [];
  return (
    fieldDescription(model, isEnumType(type) ? camel : name) ||
    interfaces.map((each) => fieldDescription(each.name, name)).find((description) => description) ||
    sentenceOn(name, owner) ||
    sentenceOn(name, other) ||
    (/^UpdateMany/.test(owner) ? sentenceOn(name, 'Mutation') : '') ||
    enumDescription(type, name)
  );
}

function fieldDescription(owner: string, name: string): string {
  const type = schema.getType(owner);
  return (isObjectType(type) || isInterfaceType(type) ? type.getFields()[name]?.description : '') || '';
}

function enumDescription(type: GraphQLNamedType | undefined, name: string): string {
  const values = isInputObjectType(type) ? getNamedType(type.getFields()[name]?.type) : undefined;
  return (isEnumType(values) && values.description) || '';
}

/** What the description of a type says of a name. */
function sentenceOn(name: string, owner: string): string {
  const sentence = new RegExp(`^.*\`${name}\`.*$`, 'm').exec(schema.getType(owner)?.description ?? '');
  return sentence ? sentence[0].replace(/^- /, '') : '';
}

const isSentence = (description: string) => /^[A-Z`].*[.`]$/s.test(description);

function repeatsItsName({ name, description }: Described): boolean {
  const words = name
    .replaceAll(/[A-Z]+/g, ' $&')
    .toLowerCase()
    .split(/[ _]+/)
    .map(stem);
  const said = description.toLowerCase().match(/[a-z]+/g) ?? [];
  return said.every((word) => fillers.has(word) || words.includes(stem(word)));
}

const fillers = new Set('a an and for in is it its of on or that the this to with'.split(' '));

const stem = (word: string) => word.replace(/(?<=..)(ies|y)$/, 'i').replace(/(?<=..)(es|s|e)$/, '');

const shown = ({ path, description }: Described) => `${path}: ${description}`;
