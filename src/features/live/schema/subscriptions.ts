/** `assetRepairChanged` for each type, and `changes` of all. Streams serve them; nothing here reads anything. */

import type { RecordEvent } from '../../../gateway/call.js';
import { withAccess } from '../../../graphql/answered-by-sql.js';
import { type Builder, orNull, perBuilder, perResource } from '../../../graphql/builder.js';
import { constrained, filterOf, mostNamed, mostObjects } from '../../../graphql/inputs/filters.js';
import { eventNameOf, noticeEventName, recordEventName } from '../../../graphql/operation/record-reading.js';
import type { StreamSource } from '../../../graphql/operation/stream-root.js';
import { subscriptionDescription } from '../../../graphql/root-descriptions.js';
import { mostOperands } from '../../../graphql/types/columns.js';
import { changeAction, enumOf, recordTypeName } from '../../../graphql/types/enums.js';
import { node } from '../../../graphql/types/record-interfaces.js';
import { typeOf } from '../../../graphql/types/record-object-types.js';
import { withArticle } from '../../../model/names.js';
import type { Resource } from '../../../model/resource.js';

/** Less than a list takes: the id of the changed record is one condition more. */
export const streamedFilterBounds = constrained({ mostObjects: mostObjects - 3, mostValues: mostOperands - 1 });

export function addSubscriptions(builder: Builder, resources: readonly Resource[]): void {
  builder.subscriptionType({ description: subscriptionDescription });
  for (const resource of resources) addStream(builder, resource);
  noticeEvent(builder);
  builder.subscriptionField('changes', (t) =>
    t.field({
      type: recordEvent(builder),
      nullable: true,
      ...streaming(withAccess('by id'), {}),
      description: 'Every change of every record that the key may read, one event for each changed record.',
      args: {
        types: t.arg({ type: [recordTypeName(builder)], description: 'Only records of these types.', ...mostNamed }),
        actions: t.arg({ type: [changeAction(builder)], description: 'Only these actions.', ...mostNamed }),
        after: t.arg.string(),
      },
      subscribe: notHere,
      resolve: notHere,
    }),
  );
}

function addStream(builder: Builder, resource: Resource): void {
  const ofLines = resource.lines.length > 0 ? ' or its lines' : '';
  builder.subscriptionField(`${resource.one}Changed`, (t) =>
    t.field({
      type: eventOf(builder, resource),
      nullable: true,
      ...streaming(withAccess({ resource, operation: 'retrieve' }), { resource }),
      description: `Changes of each ${resource.title}${ofLines}, one event for each record and transaction.`,
      args: {
        ...(resource.kind !== 'singleton' && {
          id: t.arg.id(),
          where: t.arg({ type: filterOf(builder, resource), ...streamedFilterBounds }),
        }),
        after: t.arg.string(),
      },
      subscribe: notHere,
      resolve: notHere,
    }),
  );
}

const streaming = ({ extensions }: ReturnType<typeof withAccess>, stream: StreamSource) => ({
  extensions: { ...extensions, stream },
});

/** A subscription is no `Operation`, so no executor of operations takes one. */
const notHere = (): never => {
  throw new Error('Subscriptions are served as streams');
};

const streamNotice = enumOf('StreamNotice', 'A notice of a stream about itself.', {
  OPENED: 'The stream has begun: every change after `position` follows. Read now what you show, and nothing is missed.',
  TOO_OLD: 'The changes asked for are no longer kept. Read what you show again; the stream continues after `position`.',
  CLOSING: 'The gateway ends the stream. Subscribe again with `after: position`.',
});

/** Streams read the record by an operation of its own (`src/graphql/operation/record-reading.ts`). */
const readByStream = () => null;

const recordEvent = perBuilder((builder) =>
  builder.interfaceRef<RecordEvent>(recordEventName).implement({
    description: 'A change of a record, as a stream reports it, or a notice of the stream itself.',
    fields: (t) => ({
      position: t.string({
        description: 'Its place among all changes. Subscribe again with `after: position` to continue after it.',
        resolve: ({ position }) => String(position),
      }),
      notice: t.expose('notice', {
        type: streamNotice(builder),
        ...orNull('The notice, if the event is one, which has only a position; null for a change.'),
      }),
      action: t.expose('action', {
        type: changeAction(builder),
        ...orNull('What happened: `UPDATE` where only lines of the record were changed. Null for a notice.'),
      }),
      type: t.expose('type', { type: recordTypeName(builder), ...orNull('The type of the record.') }),
      recordId: t.exposeID('recordId', orNull('Which record, also where it is gone.')),
      version: t.exposeInt('version', orNull('Its version after the change; of a deleted record its last.')),
      fields: t.exposeStringList('fields', {
        description: 'The names of the changed fields, and of lists whose lines were changed.',
      }),
      record: t.field({ type: node(builder), nullable: true, description: recordText, resolve: readByStream }),
      deletedId: t.exposeID(
        'deletedId',
        orNull('The id of a record that is gone for good, to be taken out of lists and caches.'),
      ),
      leftId: t.exposeID(
        'leftId',
        orNull(
          'The id of a record that no longer fulfils `where`, or that you no longer see, to be taken out of the list.',
        ),
      ),
    }),
  }),
);

const recordText = 'The record as it is now. Null for a notice, and where it is gone or no longer fulfils `where`.';

const eventOf = perResource((builder, resource) =>
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

const noticeEvent = perBuilder((builder) =>
  builder.objectRef<RecordEvent>(noticeEventName).implement({
    description: 'A notice of a stream that reports changes of all types.',
    interfaces: [recordEvent(builder)],
  }),
);
