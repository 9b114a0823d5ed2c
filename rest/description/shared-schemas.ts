/** The JSON Schemas that all record types share. */
import { longestId } from '../../src/model/limits.js';
import type { Schema } from '../schema.js';

export const sharedSchemas: Readonly<Record<string, Schema>> = {
  DeletedRecord: {
    description: 'A record that is gone for good, and its lines with it.',
    type: 'object',
    properties: { id: { type: 'string' }, deleted: { const: true } },
    required: ['id', 'deleted'],
  },
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

const acknowledgement: Schema = {
  description: 'What a key gets of a record that it may write but not read.',
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
};

/** The answers of writes to keys that may not read, by what the answers hold otherwise. */
export const answersWithoutReadScope = {
  record: acknowledgement,
  page: pageSchema('What a key gets of lines that it may write but not read.', acknowledgement),
};

export function pageSchema(description: string, items: Schema): Schema {
  return {
    description,
    type: 'object',
    properties: {
      data: { type: 'array', items },
      has_more: { type: 'boolean', description: 'Whether further records follow this page.' },
      total: { type: 'integer', format: 'int64', description: 'The number of records of the whole list.' },
    },
    required: ['data', 'has_more', 'total'],
  };
}
