/** Random GraphQL operations, built from the schema: any root field, with arguments that mostly have the right types. */
import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { schema } from '../support/schema.js';

export interface RandomOperation {
  query: string;
  /** JSON text. */
  variables: string;
}

/** `ids` are those of existing records, which are used now and then. */
export function randomOperation(ids: readonly string[]): fc.Arbitrary<RandomOperation> {
  const values = new Map<string, fc.Arbitrary<unknown>>();
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({
      field,
      kind: type === schema.getQueryType() ? 'query' : 'mutation',
    })),
  );
  return fc.constantFrom(...roots).chain(({ field, kind }) =>
    fc
      .record({
        given: argumentsOf(field.args, ids, values),
        written: fc.boolean(),
      })
      .map(({ given, written }) => {
        const selection = selectionOf(field.type, 2);
        const present = Object.entries(given).filter(([, value]) => value !== undefined);
        if (written) {
          const list = present.map(([name, value]) => `${name}: ${literal(value)}`).join(', ');
          return { query: `${kind} { ${field.name}${list ? `(${list})` : ''} ${selection} }`, variables: '{}' };
        }
        const types = new Map(field.args.map(({ name, type }) => [name, String(type)]));
        const declared = present.map(([name]) => `$${name}: ${types.get(name)}`).join(', ');
        const passed = present.map(([name]) => `${name}: $${name}`).join(', ');
        return {
          query: `${kind} ${declared ? `(${declared})` : ''} { ${field.name}${passed ? `(${passed})` : ''} ${selection} }`,
          variables: json(Object.fromEntries(present)),
        };
      }),
  );
}

type Values = Map<string, fc.Arbitrary<unknown>>;

function argumentsOf(
  args: readonly GraphQLArgument[],
  ids: readonly string[],
  values: Values,
): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    Object.fromEntries(
      args.map((argument) => {
        const value = valueFor(argument.type, 3, ids, values);
        return [argument.name, isRequiredArgument(argument) ? often(value) : fc.option(value, { nil: undefined })];
      }),
    ),
  );
}

/** A value of an enum: a string in JSON, without quotes in an operation. */
class Word {
  constructor(readonly text: string) {}
}

/** Values of a type, most of them valid; made once for each type and depth. */
function valueFor(
  type: GraphQLInputType,
  depth: number,
  ids: readonly string[],
  values: Values,
): fc.Arbitrary<unknown> {
  const key = `${type} ${depth}`;
  let value = values.get(key);
  if (!value) {
    value = makeValue(type, depth, ids, values);
    values.set(key, value);
  }
  return value;
}

function makeValue(
  type: GraphQLInputType,
  depth: number,
  ids: readonly string[],
  values: Values,
): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return often(valueFor(type.ofType, depth, ids, values), null);
  if (isListType(type)) {
    const item = valueFor(type.ofType, depth - 1, ids, values);
    return often(fc.array(item, { maxLength: 3 }), fc.sample(item, 1)[0]);
  }
  if (isEnumType(type)) {
    return often(fc.constantFrom(...type.getValues().map(({ name }) => new Word(name))), new Word('NOTHING'));
  }
  if (isInputObjectType(type)) {
    if (depth <= 0) return fc.constant({});
    const fields = Object.values(type.getFields());
    const required = fields.filter(isRequiredInputField);
    return fc
      .subarray(fields, { maxLength: Math.min(5, fields.length) })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(
            [...new Set([...required, ...chosen])].map((field) => [
              field.name,
              often(valueFor(field.type, depth - 1, ids, values), undefined),
            ]),
          ),
        ),
      );
  }
  return often(scalars(ids)[type.name] ?? anything, [], 5, 'x', true, null, {});
}

/** The value nine times out of ten, else one of `others`, and undefined where there are none. */
function often(value: fc.Arbitrary<unknown>, ...others: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: value, weight: 9 }, fc.constantFrom(...(others.length > 0 ? others : [undefined])));
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u0000', '\ud800', 'draft', 'submitted', 'WyJpZCBkZXNjIiwieCJd', '2026-01-31', '%_\\'),
);
const anything = fc.oneof(anyText, fc.double(), fc.boolean());

function scalars(ids: readonly string[]): Record<string, fc.Arbitrary<unknown>> {
  return {
    String: anyText,
    ID: fc.oneof(fc.constantFrom(...ids), anyText),
    Int: fc.oneof(fc.integer({ min: -2, max: 30 }), fc.integer(), fc.constantFrom(2 ** 31, 1.5)),
    Float: fc.oneof(fc.double({ noNaN: true }), fc.integer()),
    Boolean: fc.boolean(),
    DateTime: fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      anyText,
    ),
  };
}

/** Leaves, and records inside records down to `depth`, as far as no argument is required. */
function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named) && !isInterfaceType(named)) return '';
  const fields = Object.values(named.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name);
  const inner = fields
    .filter((field) => depth > 0 && !isLeafType(getNamedType(field.type)))
    .map((field) => `${field.name} ${selectionOf(field.type, depth - 1)}`);
  return `{ ${['__typename', ...leaves, ...inner].join(' ')} }`;
}

function json(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  if (value instanceof Word) return JSON.stringify(value.text);
  if (Array.isArray(value)) return `[${value.map((item) => json(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${members(value)
      .map(([name, member]) => `${JSON.stringify(name)}:${json(member)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value);
}

function literal(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  if (value instanceof Word) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item ?? null)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${members(value)
      .map(([name, member]) => `${name}: ${literal(member)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}

const members = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, member]) => member !== undefined);
