/** The JSON Schemas of the history of a record and of the feed of all changes, which the journal answers. */
import { changeActions } from '../../src/model/change.js';
import type { Schema } from '../schema.js';

const text: Schema = { type: 'string' };
const textOrNull: Schema = { type: ['string', 'null'] };
/** The value of a field. The types are listed, because Scalar shows a schema without types as if there were none. */
const value: Schema = { type: ['string', 'number', 'boolean', 'null'] };
/** Positions have 16 digits. */
const position: Schema = { type: 'integer', format: 'int64' };
const version: Schema = { type: 'integer', format: 'int32' };

/** An object that always has all its members. */
const complete = (description: string, properties: Record<string, Schema>): Schema => ({
  description,
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const action: Schema = { type: 'string', enum: changeActions };

const by = complete('Who made the change.', {
  key_id: text,
  key_name: text,
  request_id: text,
  operation: { ...textOrNull, description: 'The name of the operation, if the client gave one.' },
});

const changes: Schema = { type: 'array', items: { $ref: '#/components/schemas/HistoryChange' } };
const instant: Schema = { type: 'string', format: 'date-time' };

export const changeSchemas: Readonly<Record<string, Schema>> = {
  HistoryChange: complete('What was changed: a value, or a line that was added, removed or moved.', {
    path: { type: 'array', items: text, description: 'The place in the document.' },
    before: { ...value, description: 'The value before; null where there was none.' },
    after: { ...value, description: 'The value after; null where there is none.' },
    action,
    record_id: { ...text, description: 'The id of the record or of its line.' },
  }),
  RecordHistory: complete('A page of the history of a record, the newest version first.', {
    data: { type: 'array', items: complete('One version.', { at: instant, action, version, by, changes }) },
    has_more: { type: 'boolean' },
    next: { ...textOrNull, description: 'For `after` of the next page.' },
    complete: { type: 'boolean', description: 'Whether the journal has every version of the record.' },
  }),
  ChangeList: complete('A page of the changes of all records, in the order in which they were made.', {
    data: {
      type: 'array',
      items: complete('One change.', {
        position,
        at: instant,
        action,
        type: text,
        id: text,
        document_id: text,
        version,
        by,
        changes,
      }),
    },
    has_more: { type: 'boolean' },
    position: { ...position, description: 'For `after` of the next page.' },
  }),
};
