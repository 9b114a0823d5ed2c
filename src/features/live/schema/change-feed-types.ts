/** The feed of all changes. */
import type { FeedPage } from '../../../change/journal/change-feed.js';
import { positionText } from '../../../change/journal/position.js';
import type { StoredEntry } from '../../../change/journal/stored-entry.js';
import { perBuilder } from '../../../graphql/per-builder.js';
import { changeAction, recordTypeName, storedActionText } from '../../history/schema/change-types.js';
import { author, changesOfEntry, fieldChange } from './field-changes.js';

const recordChange = perBuilder((builder) =>
  builder.objectRef<StoredEntry>('RecordChange').implement({
    description: 'One committed change of one record. A document whose lines change is changed too: its version rises.',
    fields: (t) => ({
      position: t.string({
        description: 'Its place among all changes; give it to `after`.',
        resolve: ({ position }) => positionText(position),
      }),
      at: t.field({ type: 'DateTime', description: 'When.', resolve: ({ at }) => at }),
      action: t.field({
        type: changeAction(builder),
        description: 'What happened.',
        resolve: ({ action }) => action,
      }),
      storedAction: t.string({ description: storedActionText, resolve: ({ action }) => action }),
      type: t.field({
        type: recordTypeName(builder),
        description: 'The type of the record.',
        resolve: ({ resource }) => resource.model,
      }),
      resource: t.string({
        description: 'The type as the paths of the REST surface have it, such as `asset-repair`.',
        resolve: ({ resource }) => resource.slug,
      }),
      recordId: t.id({ description: 'Id of the record or line that changed.', resolve: ({ id }) => id }),
      documentId: t.id({
        description: 'Id of the document: of a line that of its parent, of any other record its own.',
        resolve: ({ document }) => document.id,
      }),
      version: t.int({
        description: 'The version of the record after it; of a deleted record its last.',
        resolve: ({ version }) => version,
      }),
      by: t.field({ type: author(builder), description: 'Who made it.', resolve: (entry) => entry.author }),
      changes: t.field({
        type: [fieldChange(builder)],
        description: 'Each changed field; none where only lines of the document changed.',
        resolve: changesOfEntry,
      }),
    }),
  }),
);

export const changePage = perBuilder((builder) =>
  builder.objectRef<FeedPage>('ChangePage').implement({
    description: 'Changes in the order of their positions.',
    fields: (t) => ({
      nodes: t.field({
        type: [recordChange(builder)],
        description: 'The changes of this page; a page may have none although more follow.',
        resolve: ({ entries }) => [...entries],
      }),
      position: t.string({
        description: 'Give it to `after` for what follows. Nothing that stands before it ever appears later.',
        resolve: ({ position }) => positionText(position),
      }),
      hasMore: t.boolean({ description: 'Whether more is there already.', resolve: ({ hasMore }) => hasMore }),
    }),
  }),
);
