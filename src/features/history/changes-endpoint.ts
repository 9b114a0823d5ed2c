/** `GET /api/changes?after=…&limit=…&types=…&actions=…`: the query `changes` for clients of REST. */
import { complete } from '../../../rest/description/record-schemas.js';
import { changeSelection } from '../../../rest/endpoints.js';
import { largestHistoryPage, wholeNumber, wordsParameter } from '../../../rest/parameters.js';
import { positionInText } from '../../change/journal/journal.js';
import { isObject } from '../../common/is-object.js';
import type { OwnEndpoint, Schema } from '../../gateway/api.js';
import { changeActions } from '../../model/change.js';
import { defaultPageSize } from '../../model/limits.js';
import { enumName } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import { readableAmong } from '../../model/scopes.js';

export const changesEndpoint = (resources: readonly Resource[]): OwnEndpoint => ({
  name: 'Changes',
  path: '/api/changes',
  parameters: [
    {
      name: 'after',
      in: 'query',
      description:
        'The `position` of the page before. Without it, the oldest change that the journal still holds comes first.',
      // No example: each journal has its own positions.
      schema: { type: 'integer', format: 'int64', minimum: 0 },
      variable: 'after',
      read: (text) =>
        positionInText(text) === undefined ? { problem: 'must be a position, a whole number from 0' } : { value: text },
    },
    wholeNumber('limit', 1, largestHistoryPage, defaultPageSize, 'The most changes to answer with.'),
    wordsParameter(
      'types',
      'Only changes of records of these types, separated by commas, as paths name them.',
      new Map(resources.map(({ slug, model }) => [slug, enumName(model)])),
    ),
    wordsParameter(
      'actions',
      'Only these actions, separated by commas.',
      new Map(changeActions.map((action) => [action, enumName(action)])),
    ),
  ],
  query,
  bodyOf: withNumbers,
  requireAllowed: (identity, { types }) => {
    const models = resources.map(({ model }) => model);
    const named = Array.isArray(types) ? models.filter((model) => types.includes(enumName(model))) : undefined;
    readableAmong(identity, resources, named);
  },
  summary: 'List the changes of all records',
  description: 'All changes that the key may read, in the order in which they became visible.',
  answer: { description: 'A page of changes, the oldest first.', schema: { $ref: '#/components/schemas/ChangeList' } },
  schemas: { HistoryChange: historyChange, RecordHistory: recordHistory, ChangeList: changeList },
});

/** The aliases give the page the form of the body already. */
const query = `
  query Changes($after: String, $limit: Int, $types: [RecordType!], $actions: [ChangeAction!]) {
    changes(after: $after, first: $limit, types: $types, actions: $actions) {
      data: nodes {
        position at action: storedAction type: resource id: recordId document_id: documentId version ${changeSelection}
      }
      has_more: hasMore
      position
    }
  }`;

/** REST has positions as numbers: that of the page and those of its changes. */
function withNumbers(page: Readonly<Record<string, unknown>>): object {
  const position = Number(page.position);
  if (!Array.isArray(page.data)) return { ...page, position };
  return { ...page, data: page.data.map((each) => (isObject(each) ? withNumbers(each) : each)), position };
}

// The JSON Schemas of changes, and of the history of a record, which the endpoints of records answer.

const text: Schema = { type: 'string' };
const textOrNull: Schema = { type: ['string', 'null'] };
/** The value of a field. The types are listed, because Scalar shows a schema without types as if there were none. */
const value: Schema = { type: ['string', 'number', 'boolean', 'null'] };
const action: Schema = { type: 'string', enum: changeActions };
/** Positions have 16 digits. */
const position: Schema = { type: 'integer', format: 'int64' };
const at: Schema = { type: 'string', format: 'date-time' };
const version: Schema = { type: 'integer', format: 'int32' };

const by = complete('Who made the change.', {
  key_id: text,
  key_name: text,
  request_id: text,
  operation: { ...textOrNull, description: 'The name of the operation, if the client gave one.' },
});

const changes: Schema = { type: 'array', items: { $ref: '#/components/schemas/HistoryChange' } };

const historyChange = complete('What was changed: a value, or a line that was added, removed or moved.', {
  path: { type: 'array', items: text, description: 'The place in the document.' },
  before: { ...value, description: 'The value before; null where there was none.' },
  after: { ...value, description: 'The value after; null where there is none.' },
  action,
  record_id: { ...text, description: 'The id of the record or of its line.' },
});

const recordHistory = complete('A page of the history of a record, the newest version first.', {
  data: { type: 'array', items: complete('One version.', { at, action, version, by, changes }) },
  has_more: { type: 'boolean' },
  next: { ...textOrNull, description: 'For `after` of the next page.' },
  complete: { type: 'boolean', description: 'Whether the journal has every version of the record.' },
});

const change = { position, at, action, type: text, id: text, document_id: text, version, by, changes };

const changeList = complete('A page of the changes of all records, in the order in which they were made.', {
  data: { type: 'array', items: complete('One change.', change) },
  has_more: { type: 'boolean' },
  position: { ...position, description: 'For `after` of the next page.' },
});
