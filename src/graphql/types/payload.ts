/** What mutations of records answer: the records after it, or why nothing was done. */

import type { LineChanges } from '../../change/writes/line-plan.js';
import type { SaveChanges } from '../../change/writes/save.js';
import { withArticle } from '../../model/names.js';
import type { SelectedRecord } from '../../query/delegate.js';
import { answeredBySql } from '../answered-by-sql.js';
import { perBuilder, perResource } from '../builder.js';
import { typeOf } from './record-object-types.js';
import { type Refused, userErrorsField } from './user-error.js';

interface Payload extends Partial<Refused> {
  record?: SelectedRecord | null;
  changes?: SaveChanges;
}

export const payloadOf = perResource((builder, resource) =>
  builder.objectRef<Payload>(`${resource.model}Payload`).implement({
    description: `What became of ${withArticle(resource.title)}.`,
    fields: (t) => ({
      record: t.field({
        type: typeOf(builder, resource),
        nullable: true,
        description:
          'The record as it is now. Null where nothing was stored: with `userErrors`, and with `validateOnly`.',
        extensions: answeredBySql({ kind: 'payload', part: 'record' }),
        resolve: ({ record }) => record,
      }),
      changes: t.field({
        type: saveChanges(builder),
        nullable: true,
        description: 'What a save has changed, or would with `validateOnly`. Null for other mutations.',
        extensions: answeredBySql({ kind: 'payload', part: 'changes' }),
        resolve: ({ changes }) => changes,
      }),
      userErrors: t.field(userErrorsField(builder)),
    }),
  }),
);

interface ListPayload extends Partial<Refused> {
  records?: readonly SelectedRecord[];
}

/** Of many records at once, and of a new order of lines. */
export const listPayloadOf = perResource((builder, resource) =>
  builder.objectRef<ListPayload>(`${resource.model}ListPayload`).implement({
    description: `What became of several records of ${resource.title}.`,
    fields: (t) => ({
      records: t.field({
        type: [typeOf(builder, resource)],
        nullable: true,
        description: 'The records as they are now, in the order of the argument. Null where nothing was stored.',
        extensions: answeredBySql({ kind: 'payload', part: 'records' }),
        resolve: ({ records }) => records,
      }),
      userErrors: t.field(userErrorsField(builder)),
    }),
  }),
);

/** What a save has changed of a record and of its lines. */
const lineChanges = perBuilder((builder) =>
  builder.objectRef<LineChanges>('LineChanges').implement({
    description:
      'How the lines of one list were changed when their parent was saved. Lines that are not mentioned stayed as they were.',
    fields: (t) => ({
      list: t.exposeString('list', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'list' }),
        description: "The list's field on the parent, `consumedItems` for example.",
      }),
      created: t.exposeInt('created', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'created' }),
        description: 'How many lines are new.',
      }),
      updated: t.exposeIDList('updated', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'updated' }),
        description: 'Ids of the lines of which a field changed.',
      }),
      moved: t.exposeIDList('moved', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'moved' }),
        description: 'Ids of the lines of which only the place changed.',
      }),
      deleted: t.exposeIDList('deleted', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'deleted' }),
        description: 'Ids of the lines that are gone, to be taken out of a cache.',
      }),
    }),
  }),
);

const saveChanges = perBuilder((builder) =>
  builder.objectRef<SaveChanges>('SaveChanges').implement({
    description: 'What a save changed.',
    fields: (t) => ({
      fields: t.exposeStringList('fields', {
        extensions: answeredBySql({ kind: 'changes', part: 'fields' }),
        description: 'The fields of the record itself that have a new value.',
      }),
      lines: t.field({
        type: [lineChanges(builder)],
        description: 'One entry for each list that was given.',
        extensions: answeredBySql({ kind: 'changes', part: 'lines' }),
        resolve: ({ lines }) => lines,
      }),
    }),
  }),
);
