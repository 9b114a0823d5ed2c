/** The JSON Schemas of record types, made from the resources and the inputs of the GraphQL schema, whose names they have. */
import { type GraphQLInputField, type GraphQLSchema, isInputObjectType, isNonNullType } from 'graphql';
import type { Schema } from '../../src/gateway/api.js';
import { constraintOf } from '../../src/graphql/inputs/filters.js';
import { meaningOf } from '../../src/graphql/inputs/inputs.js';
import type { Field, FieldType } from '../../src/model/field.js';
import { statuses } from '../../src/model/lifecycle.js';
import { longestId } from '../../src/model/limits.js';
import { capitalized, snakeOf } from '../../src/model/names.js';
import type { Resource } from '../../src/model/resource.js';
import type { RestOperation } from '../endpoints.js';
import { exampleRecord } from './examples.js';

/** The name of the schema of an endpoint's answer: that of the GraphQL type. */
export const answerSchemaName = ({ answers, resource }: RestOperation): string => answerNames[answers](resource);

const answerNames: Record<RestOperation['answers'], (resource: Resource) => string> = {
  record: ({ model }) => model,
  page: ({ model }) => `${model}List`,
  deletion: () => 'DeletedRecord',
  history: () => 'RecordHistory',
};

export function bodySchemaName({ operation, resource, body }: RestOperation): string | undefined {
  if (!body) return undefined;
  return body.variable ? `${capitalized(operation)}${resource.model}Input` : 'ReorderInput';
}

/** The schemas of a resource; `hasPast` if it can be read as it was. */
export function schemasOf(resource: Resource, schema: GraphQLSchema, hasPast: boolean): Record<string, Schema> {
  const { model, title, kind } = resource;
  const creates = kind !== 'singleton';
  return {
    [model]: recordSchema(resource),
    ...(hasPast && answersLines(resource) && { [pastSchemaName(resource)]: pastSchema(resource) }),
    ...(creates && { [`Create${model}Input`]: inputSchema(resource, schema, 'Create') }),
    [`Update${model}Input`]: inputSchema(resource, schema, 'Update'),
    ...(creates && {
      [`${model}List`]: {
        ...pageSchema(`A page of ${title} records.`, { $ref: `#/components/schemas/${model}` }),
        examples: [{ data: [exampleRecord(resource)], has_more: false, total: 1 }],
      },
    }),
  };
}

const instant: Schema = { type: 'string', format: 'date-time' };

function recordSchema(resource: Resource): Schema {
  const { title, description, fields, timestamps, slug } = resource;
  const properties: Record<string, Schema> = {
    id: { type: 'string', description: `\`${slug}_\` and characters that rise with every new record.` },
  };
  for (const field of fields) properties[field.restName] = fieldSchema(resource, field, field.nullable);
  if (timestamps) Object.assign(properties, { created_at: instant, updated_at: instant });
  const required = Object.keys(properties);
  return { title, description, type: 'object', properties, required, examples: [exampleRecord(resource)] };
}

/** With `as_of` a record is answered together with its lines, if its type has some. */
export const answersLines = ({ kind, lines }: Resource): boolean => kind !== 'child' && lines.length > 0;

export const pastSchemaName = ({ model }: Resource): string => `${model}AsOf`;

function pastSchema({ model, title, lines }: Resource): Schema {
  const properties = Object.fromEntries(
    lines.map(({ field, resource, description }) => [
      snakeOf(field),
      { type: 'array', items: { $ref: `#/components/schemas/${resource.model}` }, description },
    ]),
  );
  const withLines = { type: 'object', properties, required: Object.keys(properties) };
  return {
    description: `The ${title} with its lines as they were: the answer to \`as_of\`. Every \`id\` is that of the record itself.`,
    type: 'object',
    allOf: [{ $ref: `#/components/schemas/${model}` }, withLines],
  };
}

function inputSchema(resource: Resource, schema: GraphQLSchema, verb: 'Create' | 'Update'): Schema {
  const type = schema.getType(`${verb}${resource.model}Input`);
  if (!isInputObjectType(type)) throw new Error(`The schema has no input ${verb}${resource.model}Input`);
  const inputs = type.getFields();
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const field of resource.fields) {
    const input = inputs[field.name];
    if (!input) throw new Error(`${type.name} has no field ${field.name}`);
    properties[field.restName] = inputField(resource, field, input, verb === 'Create');
    if (isNonNullType(input.type)) required.push(field.restName);
  }
  for (const name of ['id', 'created_at', 'updated_at'])
    properties[name] ??= { description: 'Ignored, so that a record can be sent back as it was read.' };
  return {
    description: meaningOf(verb, resource),
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function inputField(resource: Resource, field: Field, input: GraphQLInputField, isCreate: boolean): Schema {
  const { oneOf, minimum, notEmpty, longest, notNull } = constraintOf(input);
  const isNullable = !isNonNullType(input.type) && !notNull;
  const described = fieldSchema(resource, field, isNullable);
  return {
    ...described,
    // All states stay in the enum: in the types of clients, a record that was read is the body of a new one.
    ...(oneOf && {
      description: `${described.description} Of a new record only \`${oneOf.join('`, `')}\` is accepted.`,
    }),
    ...(minimum !== undefined && { minimum }),
    ...(notEmpty && { minLength: 1 }),
    ...(longest !== undefined && { maxLength: longest }),
    ...(isCreate && field.default !== undefined && { default: field.default }),
  };
}

function fieldSchema({ documentLike }: Resource, field: Field, isNullable: boolean): Schema {
  const { type, ...more } = types[field.type];
  const { description, knownValues } = field;
  if (documentLike && field.name === 'status') {
    const state = { type, enum: statuses };
    // Generators of types take a null among the words of an enum for a word.
    return isNullable ? { description, anyOf: [state, { type: 'null' }] } : { description, ...state };
  }
  return {
    type: isNullable ? [type, 'null'] : type,
    ...more,
    description,
    ...(knownValues.length > 0 && { 'x-known-values': knownValues }),
  };
}

const types: Record<FieldType, { type: string; format?: string }> = {
  String: { type: 'string' },
  Float: { type: 'number', format: 'double' },
  Int: { type: 'integer', format: 'int32' },
  Boolean: { type: 'boolean' },
};

/** An object that always has all its members. */
export const complete = (description: string, properties: Record<string, Schema>): Schema => ({
  description,
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** The JSON Schemas that all record types share. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  DeletedRecord: complete('A record that is gone for good, and its lines with it.', {
    id: { type: 'string' },
    deleted: { const: true },
  }),
  ReorderInput: {
    type: 'object',
    properties: {
      parent_id: {
        type: ['string', 'null'],
        maxLength: longestId,
        description: 'The parent of the lines; it may be a query parameter instead.',
      },
      ids: {
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'Every line of the parent once, in the new order. Without it the order stays.',
      },
    },
    additionalProperties: false,
  },
};

const acknowledgement = complete('What a key gets of a record that it may write but not read.', {
  id: { type: 'string' },
});

/** The answers of writes to keys that may not read, by what the answers hold otherwise. */
export const answersWithoutReadScope = {
  record: acknowledgement,
  page: pageSchema('What a key gets of lines that it may write but not read.', acknowledgement),
};

function pageSchema(description: string, items: Schema): Schema {
  return complete(description, {
    data: { type: 'array', items },
    has_more: { type: 'boolean', description: 'Whether further records follow this page.' },
    total: { type: 'integer', format: 'int64', description: 'The number of records of the whole list.' },
  });
}
