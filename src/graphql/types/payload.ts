/** What mutations of records answer: the records after it, or why nothing was done. */

import type { SaveChanges } from '../../change/writes/save.js';
import { withArticle } from '../../model/names.js';
import type { SelectedRecord } from '../../query/delegate.js';
import { answeredBySql } from '../answered-by-sql.js';
import { perResource } from '../per-builder.js';
import { typeOf } from './record-object-types.js';
import { saveChanges } from './save-changes.js';
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
