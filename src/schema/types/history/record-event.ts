/** What a stream of changes consists of: one type for all records, so that 38 subscriptions add no type of their own. */

import type { RecordModel } from '../../../catalogue.js';
import type { ChangeAction } from '../../../model/change.js';
import type { Builder } from '../../builder.js';
import { perBuilder } from '../../per-builder.js';
import { node } from '../record-interfaces.js';
import { changeAction, recordTypeName } from './change-types.js';

/** An event of a stream, as the fields of `RecordEvent` show it. The record itself is read by an operation of its own. */
export interface RecordEvent {
  /** Continuing after it misses nothing and repeats nothing that was delivered up to it. */
  position: number;
  /** Undefined for a change. */
  notice?: StreamNotice | undefined;
  action?: ChangeAction | undefined;
  type?: RecordModel | undefined;
  recordId?: string | undefined;
  version?: number | undefined;
  fields: readonly string[];
  deletedId?: string | undefined;
  leftId?: string | undefined;
}

export type StreamNotice = 'OPENED' | 'TOO_OLD' | 'CLOSING';

const streamNotice = perBuilder((builder) =>
  builder.enumType('StreamNotice', {
    description: 'A notice of a stream about itself.',
    values: {
      OPENED: {
        description:
          'The stream has begun: every change after `position` follows. Read now what you show, and nothing is missed.',
      },
      TOO_OLD: {
        description:
          'The changes asked for are no longer kept. Read what you show again; the stream continues after `position`.',
      },
      CLOSING: { description: 'The gateway ends the stream. Subscribe again with `after: position`.' },
    },
  }),
);

/** The name of the type, by which the selection of a subscription is recognised. */
export const recordEventName = 'RecordEvent';

export const recordEvent = (builder: Builder) =>
  builder.objectRef<RecordEvent>(recordEventName).implement({
    description: 'A change of a record, as a stream reports it, or a notice of the stream itself.',
    fields: (t) => ({
      position: t.exposeFloat('position', {
        description:
          'Its place in the order of all changes, a whole number. Subscribe again with `after: position` to continue after it.',
      }),
      notice: t.expose('notice', {
        type: streamNotice(builder),
        nullable: true,
        description: 'The notice, if the event is one; null for a change. A notice has only a position.',
      }),
      action: t.expose('action', {
        type: changeAction(builder),
        nullable: true,
        description: 'What happened: `UPDATE` where only lines of the record were changed. Null for a notice.',
      }),
      type: t.expose('type', {
        type: recordTypeName(builder),
        nullable: true,
        description: 'The type of the record.',
      }),
      recordId: t.exposeID('recordId', {
        nullable: true,
        description:
          'The id of the record. It is not called `id`, because client caches would take the event for the record.',
      }),
      version: t.exposeInt('version', {
        nullable: true,
        description: 'Its version after the change; of a deleted record its last.',
      }),
      fields: t.exposeStringList('fields', {
        description: 'The names of the changed fields, among them those of lists whose lines were changed.',
      }),
      record: t.field({
        type: node(builder),
        nullable: true,
        description: 'The record as it is now. Null for a notice, and where it is gone or no longer fulfils `where`.',
        // Streams read it by an operation of its own (`src/operation/record-reading.ts`).
        resolve: () => null,
      }),
      deletedId: t.exposeID('deletedId', {
        nullable: true,
        description: 'The id of a record that is gone for good, to be taken out of lists and caches.',
      }),
      leftId: t.exposeID('leftId', {
        nullable: true,
        description: 'The id of a record that does not fulfil `where` any more, to be taken out of the list.',
      }),
    }),
  });
