/** Everything in the schema says what it is, in more words than its name. */
import { type GraphQLNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../support/schema.js';

interface Described {
  /** Where it stands: `AssetRepair.consumedItems(limit)`. */
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
  return Object.values(type.getFields()).flatMap((field) =>
    field.args.map((argument) => describedIn(`${type.name}.${field.name}`, argument)),
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

/** The description at the record type that the description of `owner` points to. */
function descriptionElsewhere(owner: string, name: string): string {
  const [, model = ''] = /described at `(\w+)`\.$/.exec(schema.getType(owner)?.description ?? '') ?? [];
  const type = schema.getType(model);
  const field = isEnumType(schema.getType(owner))
    ? name.toLowerCase().replaceAll(/_(\w)/g, (_, one) => one.toUpperCase())
    : name;
  return (isObjectType(type) && type.getFields()[field]?.description) || '';
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
