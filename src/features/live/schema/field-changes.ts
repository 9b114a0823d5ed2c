/** What the journal records: who made a change, and which fields got which values. */

import type { FieldChange } from '../../../change/journal/entry.js';
import type { StoredEntry } from '../../../change/journal/stored-entry.js';
import { perBuilder } from '../../../graphql/per-builder.js';
import { shownInGraphql } from '../../../model/document-status.js';
import { snakeOf } from '../../../model/names.js';
import { changeAction, storedActionText } from '../../history/schema/change-types.js';

const fieldValue = perBuilder((builder) =>
  builder.scalarType('FieldValue', {
    description:
      'The value of a field as the field itself shows it: a string, a number, true, false or null. Of a field that holds a credential it is `***`.',
    serialize: (value) => value,
  }),
);

const fieldNames = perBuilder((builder) =>
  builder.enumType('FieldNames', {
    description: 'Which names of fields and of states are wanted.',
    values: {
      GRAPHQL: { value: 'graphql', description: 'Those of this schema, such as `itemCode` and `SUBMITTED`.' },
      REST: { value: 'rest', description: 'Those of the REST surface, such as `item_code` and `submitted`.' },
    } as const,
  }),
);

type Names = 'graphql' | 'rest';

const namesArgument = perBuilder((builder) =>
  builder.args((t) => ({
    names: t.field({ type: fieldNames(builder), required: true, defaultValue: 'graphql', description: 'Which names.' }),
  })),
);

const valueIn = (names: Names, { resource }: StoredEntry, field: string, value: unknown): unknown =>
  names === 'rest' ? value : shownInGraphql(resource, field, value);

interface Change extends FieldChange {
  entry: StoredEntry;
}

export const fieldChange = perBuilder((builder) =>
  builder.objectRef<Change>('HistoryChange').implement({
    description: 'A field that has another value than before.',
    fields: (t) => ({
      path: t.stringList({
        description:
          'Where it is in the document: the field, or for a line the list, the id of the line, and the field of the line.',
        args: namesArgument(builder),
        resolve: ({ field, entry }, { names }) =>
          pathOf(entry, field).map((name) => (names === 'rest' ? name.rest : name.graphql)),
      }),
      before: t.field({
        type: fieldValue(builder),
        nullable: true,
        description: 'Null where it had no value, and for a new record or line.',
        args: namesArgument(builder),
        resolve: ({ before, field, entry }, { names }) => valueIn(names, entry, field, before),
      }),
      after: t.field({
        type: fieldValue(builder),
        nullable: true,
        description: 'Null where it has no value, and for a deleted record or line.',
        args: namesArgument(builder),
        resolve: ({ after, field, entry }, { names }) => valueIn(names, entry, field, after),
      }),
      action: t.field({
        type: changeAction(builder),
        description: 'What happened to the record or line that has the field.',
        resolve: ({ entry }) => entry.action,
      }),
      storedAction: t.string({ description: storedActionText, resolve: ({ entry }) => entry.action }),
      recordId: t.id({ description: 'Id of the record or line that has the field.', resolve: ({ entry }) => entry.id }),
    }),
  }),
);

/** The path of a field in its document. */
function pathOf({ resource, id, document }: StoredEntry, field: string): { graphql: string; rest: string }[] {
  const named = (name: string) => ({ graphql: name, rest: snakeOf(name) });
  const list = document.resource?.lines.find((lines) => lines.resource === resource);
  return list ? [named(list.field), { graphql: id, rest: id }, named(field)] : [named(field)];
}

export const changesOfEntry = (entry: StoredEntry): Change[] => entry.changes.map((each) => ({ ...each, entry }));

export const author = perBuilder((builder) =>
  builder.objectRef<StoredEntry['author']>('ChangeAuthor').implement({
    description: 'Who made a change, and by which request.',
    fields: (t) => ({
      keyId: t.exposeID('keyId', { description: 'The public beginning of the API key.' }),
      keyName: t.exposeString('keyName', { description: 'The name that the key had.' }),
      requestId: t.exposeID('requestId', { description: 'The id of the request, as the log has it.' }),
      operation: t.string({
        nullable: true,
        description: 'The name of the GraphQL operation, which a REST request has too; null where it had none.',
        resolve: ({ operation }) => operation,
      }),
    }),
  }),
);
