/** The feed of all changes. */

import type { FieldChange, StoredEntry } from '../../../change/journal/entry.js';
import type { FeedPage } from '../../../change/journal/journal.js';
import { objectOf, orNull, perBuilder } from '../../../graphql/builder.js';
import { changeAction, enumOf, recordTypeName, storedActionText } from '../../../graphql/types/enums.js';
import { shownInGraphql } from '../../../model/lifecycle.js';
import { snakeOf } from '../../../model/names.js';

const recordChange = objectOf<StoredEntry>('RecordChange', {
  description: 'One committed change of one record. A document whose lines change is changed too: its version rises.',
  fields: (t, builder) => ({
    position: t.string({
      description: 'Its place among all changes; give it to `after`.',
      resolve: ({ position }) => String(position),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    action: t.expose('action', { type: changeAction(builder), description: 'What happened.' }),
    storedAction: t.exposeString('action', { description: storedActionText }),
    type: t.field({
      type: recordTypeName(builder),
      description: 'The type of the record.',
      resolve: ({ resource }) => resource.model,
    }),
    resource: t.string({
      description: 'The type as the paths of the REST surface have it, such as `asset-repair`.',
      resolve: ({ resource }) => resource.slug,
    }),
    recordId: t.exposeID('id', { description: 'Id of the record or line that changed.' }),
    documentId: t.id({
      description: 'Id of the document: of a line that of its parent, of any other record its own.',
      resolve: ({ document }) => document.id,
    }),
    version: t.exposeInt('version', {
      description: 'The version of the record after it; of a deleted record its last.',
    }),
    by: t.expose('author', { type: author(builder), description: 'Who made it.' }),
    changes: t.field({
      type: [fieldChange(builder)],
      description: 'Each changed field; none where only lines of the document changed.',
      resolve: changesOfEntry,
    }),
  }),
});

export const changePage = objectOf<FeedPage>('ChangePage', {
  description: 'Changes in the order of their positions.',
  fields: (t, builder) => ({
    nodes: t.field({
      type: [recordChange(builder)],
      description: 'The changes of this page; a page may have none although more follow.',
      resolve: ({ entries }) => [...entries],
    }),
    position: t.string({
      description: 'Give it to `after` for what follows. Nothing that stands before it ever appears later.',
      resolve: ({ position }) => String(position),
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether more is there already.' }),
  }),
});

/** What the journal records: who made a change, and which fields got which values. */
const fieldValue = perBuilder((builder) =>
  builder.scalarType('FieldValue', {
    description:
      'The value of a field as the field itself shows it: a string, a number, true, false or null. Of a field that holds a credential it is `***`.',
    serialize: (value) => value,
  }),
);

const fieldNames = enumOf('FieldNames', 'Which names of fields and of states are wanted.', {
  graphql: 'Those of this schema, such as `itemCode` and `SUBMITTED`.',
  rest: 'Those of the REST surface, such as `item_code` and `submitted`.',
});

const namesArgument = perBuilder((builder) =>
  builder.args((t) => ({
    names: t.field({ type: fieldNames(builder), required: true, defaultValue: 'graphql', description: 'Which names.' }),
  })),
);

interface Change extends FieldChange {
  entry: StoredEntry;
}

export const fieldChange = objectOf<Change>('HistoryChange', {
  description: 'A field that has another value than before.',
  fields: (t, builder) => {
    const value = (of: 'before' | 'after', description: string) =>
      t.field({
        type: fieldValue(builder),
        nullable: true,
        description,
        args: namesArgument(builder),
        resolve: ({ entry, field, [of]: value }, { names }) =>
          names === 'rest' ? value : shownInGraphql(entry.resource, field, value),
      });
    return {
      path: t.stringList({
        description:
          'Where it is in the document: the field, or for a line the list, the id of the line, and the field of the line.',
        args: namesArgument(builder),
        resolve: ({ field, entry }, { names }) => pathOf(entry, field).map((name) => name[names]),
      }),
      before: value('before', 'Null where it had no value, and for a new record or line.'),
      after: value('after', 'Null where it has no value, and for a deleted record or line.'),
      action: t.field({
        type: changeAction(builder),
        description: 'What happened to the record or line that has the field.',
        resolve: ({ entry }) => entry.action,
      }),
      storedAction: t.string({ description: storedActionText, resolve: ({ entry }) => entry.action }),
      recordId: t.id({
        description: 'Id of the record or line that has the field.',
        resolve: ({ entry }) => entry.id,
      }),
    };
  },
});

function pathOf({ resource, id, document }: StoredEntry, field: string): { graphql: string; rest: string }[] {
  const named = (name: string) => ({ graphql: name, rest: snakeOf(name) });
  const list = document.resource?.lines.find((lines) => lines.resource === resource);
  return list ? [named(list.field), { graphql: id, rest: id }, named(field)] : [named(field)];
}

export const changesOfEntry = (entry: StoredEntry): Change[] => entry.changes.map((each) => ({ entry, ...each }));

export const author = objectOf<StoredEntry['author']>('ChangeAuthor', {
  description: 'Who made a change, and by which request.',
  fields: (t) => ({
    keyId: t.exposeID('keyId', { description: 'The public beginning of the API key.' }),
    keyName: t.exposeString('keyName', { description: 'The name that the key had.' }),
    requestId: t.exposeID('requestId', { description: 'The id of the request, as the log has it.' }),
    operation: t.exposeString(
      'operation',
      orNull('The name of the GraphQL operation, which a REST request has too; null where it had none.'),
    ),
  }),
});
