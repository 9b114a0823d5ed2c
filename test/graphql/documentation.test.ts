/** Everything in the schema says what it is, in more words than its name. */
import {
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { createSchema } from '../../src/graphql/create-schema.js';
import { camelOf } from '../../src/model/names.js';
import { resources } from '../support/resources.js';
import { schema as plain, serve } from '../support/schema.js';

interface Described {
  /** Its place: `AssetRepair.consumedItems(limit)`. */
  path: string;
  name: string;
  description: string;
}

// It has what every schema has, and what a subgraph has beside it.
const schema = createSchema({ resources, features: await serve({ FEDERATION: 'true' }) });
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

test('parts of other types say what the field of the record says, that of a new record in all its words', () => {
  const text = (type: string, name: string) =>
    partsOf(plain.getType(type)).find((each) => each.name === name)?.description;
  const cost = "Cost of outside services and labour, without parts from stock, in the company's currency.";
  expect(text('AssetRepair', 'repairCost')).toBe(cost);
  for (const type of ['CreateAssetRepairInput', 'SaveAssetRepairInput', 'AssetRepairFilter', 'AssetRepairAggregate'])
    expect([type, text(type, 'repairCost')]).toEqual([type, cost]);
  expect(text('AssetRepairSortField', 'REPAIR_COST')).toBe(cost);
  expect(text('CreateAssetRepairInput', 'repairStatus')).toBe(text('AssetRepair', 'repairStatus'));
  expect(text('AssetRepairFilter', 'repairStatus')).toBe('How far the work on the asset has come.');
});

test.each<[string, (model: string) => string[], number]>([
  ['all the words', (model) => [model, `Create${model}Input`], 1000],
  [
    'the beginning',
    (model) => [
      ...['Filter', 'Having', 'Aggregate', 'SortField'].map((part) => model + part),
      ...[`Update${model}Input`, `Save${model}Input`, `Create${model}LineInput`],
    ],
    2900,
  ],
])('every field says %s of the model, in each type that has it', (words, typesOf, least) => {
  const isWhole = words === 'all the words';
  const wrong: string[] = [];
  let asked = 0;
  for (const { model, fields, documentLike } of resources) {
    for (const { path, name, description } of typesOf(model).flatMap((each) => partsOf(plain.getType(each)))) {
      const field = fields.find(
        (each) => each.name === camelOf(path.includes('SortField.') ? name.toLowerCase() : name),
      );
      if (!field) continue;
      asked++;
      const said = description.replaceAll('\n', ' ');
      const isState = documentLike && field.name === 'status';
      const text = isState
        ? field.description.replaceAll(/[`"](draft|submitted|cancelled)[`"]/g, inCapitals)
        : field.description;
      const meant = text.replaceAll('\n', ' ');
      const isSaid = isWhole ? said === meant : said.length > 10 && meant.startsWith(said.replace(/\.$/, ''));
      if (!isSaid) wrong.push(`${path}: ${said} / ${meant}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(least);
});

test('a state is named as its enum names it, wherever its type is the enum', () => {
  const ofStates = own.flatMap((type) => partsOf(type)).filter(({ type }) => type === 'DocumentStatus');
  expect(ofStates.length).toBeGreaterThan(30);
  for (const { path, description } of ofStates)
    expect(`${path}: ${description}`).not.toMatch(/[`"](draft|submitted|cancelled)[`"]/);
  expect(ofStates.find(({ path }) => path === 'AssetRepair.status')?.description).toMatch(
    /Known values: `DRAFT`, `SUBMITTED`, `CANCELLED`\.$/,
  );
  const { description } = plain.getMutationType()?.getFields().submitAssetRepair ?? {};
  expect(description).toContain('from `DRAFT` to `SUBMITTED`');
});

test('DateTime names a specification that is true of it: it takes these forms and gives the last', () => {
  const type = plain.getType('DateTime');
  if (!isScalarType(type)) throw new Error('DateTime is no scalar');
  expect(type.specifiedByURL).toBe('https://www.w3.org/TR/NOTE-datetime');
  // The examples of its levels with a day; its first two, a year and a month, are none of ours.
  for (const text of [
    '1997-07-16',
    '1997-07-16T19:20+01:00',
    '1997-07-16T19:20:30+01:00',
    '1997-07-16T19:20:30.45+01:00',
  ])
    expect([text, type.parseValue(text)]).toEqual([text, new Date(text)]);
  expect(type.serialize(new Date('1997-07-16T19:20:30.45+01:00'))).toBe('1997-07-16T18:20:30.450Z');
  for (const text of ['1997', '1997-07', '1997-07-16 19:20+01:00', '1997-07-16T19:20'])
    expect(() => type.parseValue(text), text).toThrow();
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
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
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

function describedIn(
  owner: string,
  { name, description }: { name: string; description?: string | null | undefined },
): Described {
  return { path: `${owner}.${name}`, name, description: description ?? '' };
}

function partsOf(type: GraphQLNamedType | undefined | null) {
  if (isEnumType(type)) return type.getValues().map((value) => ({ ...describedIn(type.name, value), type: type.name }));
  const fields: { name: string; type: GraphQLType; description?: string | null | undefined }[] =
    isInputObjectType(type) || isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  return fields.map((field) => ({
    ...describedIn(type?.name ?? '', field),
    type: getNamedType(field.type).name,
  }));
}

const inCapitals = (_: string, state: string) => `\`${state.toUpperCase()}\``;

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
