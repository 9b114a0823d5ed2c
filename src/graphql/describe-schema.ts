/**
 * Gives each part of the finished schema that says nothing of itself a description, from the one place that has it: a field of
 * an input, a filter or an aggregate means what the field of the record type means, whose text is that of the model.
 */
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { camelOf } from '../model/names.js';
import type { Resource } from '../model/resource.js';
import { ownerOf } from './order-types.js';
import { meaningOfArgument } from './root-descriptions.js';

/** What the texts of the parts of a type are taken from, by the names of the parts. */
type Texts = (name: string) => string | undefined;

export function describeSchema(schema: GraphQLSchema, resources: readonly Resource[]): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) || isInterfaceType(type)) describeFields(type, textsOf(schema, type.name, resources));
    else if (isInputObjectType(type)) describeInput(type, textsOf(schema, type.name, resources));
    else if (isEnumType(type)) describeValues(type, textsOf(schema, type.name, resources));
  }
}

/** The texts of the record type to which a type belongs. Only creates say all of them: SDL is read as a whole. */
function textsOf(schema: GraphQLSchema, name: string, resources: readonly Resource[]): Texts {
  const owner = resources[ownerOf(name, resources)];
  const record = owner && schema.getType(owner.model);
  if (!isObjectType(record) || record.name === name) return () => undefined;
  const fields = record.getFields();
  const isCreate = /^Create(?!.*LineInput$)/.test(name);
  return (field) => {
    const text = fields[field]?.description ?? undefined;
    return isCreate ? text : text && firstSentence(text);
  };
}

/** Without what to do with it in a save, which a filter or an aggregate is none. */
const firstSentence = (text: string): string =>
  (/^.+?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replace(/; send it as .*/s, '.');

function describeFields(type: GraphQLObjectType | GraphQLInterfaceType, texts: Texts): void {
  const shared = type.getInterfaces().map((each) => each.getFields());
  for (const field of Object.values(type.getFields())) {
    field.description ??=
      shared.map((fields) => fields[field.name]?.description).find((text) => text) ??
      texts(field.name) ??
      ofParts[field.name];
    for (const argument of field.args) argument.description ??= meaningOfArgument(type.name, argument.name);
  }
}

function describeInput(type: GraphQLInputObjectType, texts: Texts): void {
  for (const field of Object.values(type.getFields()))
    field.description ??= texts(field.name) ?? ofParts[field.name] ?? meaningOfArgument('Mutation', field.name);
}

function describeValues(type: GraphQLEnumType, texts: Texts): void {
  for (const value of type.getValues()) value.description ??= texts(camelOf(value.name.toLowerCase()));
}

/** What the parts mean that many types have: those of lists, of filters and of orders. */
const ofParts: Readonly<Record<string, string>> = {
  edges: 'What this page holds, each with its cursor.',
  nodes: 'What this page holds, in the order of the list.',
  pageInfo: 'Whether there are pages before and after this one, and its cursors.',
  totalCount: 'How many there are in the whole list; counted only if asked for.',
  cursor: 'Its place in the list, for `after` and `before`.',
  node: 'What stands at this place.',
  and: 'All of these hold.',
  or: 'At least one of these holds.',
  not: 'This does not hold.',
  some: 'At least one line is like this.',
  every: 'Each line is like this, or there are none.',
  none: 'No line is like this.',
  field: 'What to sort by.',
  direction: 'Ascending or descending.',
  nulls: 'Whether nulls come first or last.',
  measure: 'What is computed of the field in each group.',
  by: 'Groups a date by its year, month or day.',
};
