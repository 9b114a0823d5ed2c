/** What a stream of changes consists of: an interface, and a type for the events of each type of records. */

import { positionText } from '../../../change/journal/position.js';
import { perBuilder, perResource } from '../../../graphql/per-builder.js';
import { node } from '../../../graphql/types/record-interfaces.js';
import { typeOf } from '../../../graphql/types/record-object-types.js';
import { catalogue, type RecordModel } from '../../../model/catalogue.js';
import type { ChangeAction } from '../../../model/change.js';
import { withArticle } from '../../../model/names.js';
import { changeAction, recordTypeName } from '../../history/schema/change-types.js';

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

/** The name of the interface. */
export const recordEventName = 'RecordEvent';

/** The name of the type of a notice among the events of all types. */
const noticeEventName = 'NoticeEvent';

/** The name of the type of events of one type of records, or of notices. */
export const eventNameOf = (model: string | undefined): string => (model ? `${model}Event` : noticeEventName);

/** The type of records whose events have this type. */
const modelOfEvent: ReadonlyMap<string, string> = new Map(
  Object.keys(catalogue).map((model) => [eventNameOf(model), model]),
);

/** Whether a selection is one of an event, and of which type the record is; undefined for a type of something else. */
export function eventTypeNamed(name: string): { model: string | undefined } | undefined {
  const model = modelOfEvent.get(name);
  return model !== undefined || name === recordEventName || name === noticeEventName ? { model } : undefined;
}

/** Streams read the record by an operation of its own (`src/graphql/operation/record-reading.ts`). */
const readByStream = () => null;

export const recordEvent = perBuilder((builder) =>
  builder.interfaceRef<RecordEvent>(recordEventName).implement({
    description: 'A change of a record, as a stream reports it, or a notice of the stream itself.',
    fields: (t) => ({
      position: t.string({
        description: 'Its place among all changes. Subscribe again with `after: position` to continue after it.',
        resolve: ({ position }) => positionText(position),
      }),
      notice: t.expose('notice', {
        type: streamNotice(builder),
        nullable: true,
        description: 'The notice, if the event is one, which has only a position; null for a change.',
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
        description: 'Which record, also where it is gone.',
      }),
      version: t.exposeInt('version', {
        nullable: true,
        description: 'Its version after the change; of a deleted record its last.',
      }),
      fields: t.exposeStringList('fields', {
        description: 'The names of the changed fields, and of lists whose lines were changed.',
      }),
      record: t.field({ type: node(builder), nullable: true, description: recordText, resolve: readByStream }),
      deletedId: t.exposeID('deletedId', {
        nullable: true,
        description: 'The id of a record that is gone for good, to be taken out of lists and caches.',
      }),
      leftId: t.exposeID('leftId', {
        nullable: true,
        description: 'The id of a record that no longer fulfils `where`, to be taken out of the list.',
      }),
    }),
  }),
);

const recordText = 'The record as it is now. Null for a notice, and where it is gone or no longer fulfils `where`.';

/** The events of one type of records. */
export const eventOf = perResource((builder, resource) =>
  builder.objectRef<RecordEvent>(eventNameOf(resource.model)).implement({
    description: `A change of ${withArticle(resource.title)}, as a stream reports it, or a notice of the stream itself.`,
    interfaces: [recordEvent(builder)],
    fields: (t) => ({
      record: t.field({
        type: typeOf(builder, resource),
        nullable: true,
        description: recordText,
        resolve: readByStream,
      }),
    }),
  }),
);

/** A notice is about no type. */
export const noticeEvent = perBuilder((builder) =>
  builder.objectRef<RecordEvent>(noticeEventName).implement({
    description: 'A notice of a stream that reports changes of all types.',
    interfaces: [recordEvent(builder)],
  }),
);
