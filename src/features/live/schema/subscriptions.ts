/** `assetRepairChanged` for each type, and `changes` of all. Streams serve them; nothing here reads anything. */

import type { Builder } from '../../../graphql/builder.js';
import { withAccess } from '../../../graphql/guards/guard-scopes.js';
import { mostOperands } from '../../../graphql/inputs/comparisons.js';
import { constrained } from '../../../graphql/inputs/constraint.js';
import { filterOf, mostObjects } from '../../../graphql/inputs/filters.js';
import { perBuilder } from '../../../graphql/per-builder.js';
import { subscriptionDescription } from '../../../graphql/root-descriptions.js';
import type { Resource } from '../../../model/resource.js';
import { changeAction, mostNamed, recordTypeName } from '../../history/schema/change-types.js';
import { eventOf, noticeEvent, recordEvent } from './record-event.js';

/** What a field of Subscription streams, in its extensions: the changes of one record type, or of all. */
export type StreamSource = { resource: Resource } | { resource?: undefined };

/** The source of a field of Subscription. @throws for any other field */
export function streamSourceOf({
  name,
  extensions,
}: {
  name: string;
  extensions: { stream?: StreamSource };
}): StreamSource {
  if (!extensions.stream) throw new Error(`Subscription.${name} does not say what it streams`);
  return extensions.stream;
}

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
        ...resuming(builder),
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
      args: { ...(resource.kind === 'singleton' ? {} : choosing(builder, resource)), ...resuming(builder) },
      subscribe: notHere,
      resolve: notHere,
    }),
  );
}

const streaming = ({ extensions }: ReturnType<typeof withAccess>, stream: StreamSource) => ({
  extensions: { ...extensions, stream },
});

const choosing = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    id: t.id(),
    where: t.field({ type: filterOf(builder, resource), ...streamedFilterBounds }),
  }));

const resuming = perBuilder((builder) =>
  builder.args((t) => ({
    after: t.string(),
  })),
);

/** A subscription is no `Operation`, so no executor of operations takes one. */
const notHere = (): never => {
  throw new Error('Subscriptions are served as streams');
};
