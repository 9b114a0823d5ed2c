/** `history` of a document, and `changes` of all records, as the journal has them. */

import type { FieldRef } from '@pothos/core';
import type { RequestContext } from '../../../change/context.js';
import { changeFeed, positionAfter } from '../../../change/journal/journal.js';
import { continuationOf } from '../../../change/journal/journal-state.js';
import { wholeOf } from '../../../change/journal/seen-entries.js';
import type { ServedFeature } from '../../../gateway/feature.js';
import { withAccess } from '../../../graphql/answered-by-sql.js';
import type { Builder, SchemaTypes } from '../../../graphql/builder.js';
import { constrained, mostNamed } from '../../../graphql/inputs/filters.js';
import { changeAction, recordTypeName } from '../../../graphql/types/enums.js';
import type { RecordFields } from '../../../graphql/types/record-type.js';
import { errors } from '../../../model/errors/errors.js';
import { defaultPageSize, largestPageSize } from '../../../model/limits.js';
import { type Resource, resourceById } from '../../../model/resource.js';
import { readableAmong, requiredScopes, requireScopes } from '../../../model/scopes.js';
import { readOne } from '../../../query/read.js';
import { changesEndpoint } from '../changes-endpoint.js';
import { historyErrors } from '../history-errors.js';
import { pastOf } from '../past/past-document.js';
import { changePage } from './change-feed-types.js';
import { answerPast, pastArgument } from './past-record.js';
import { historyArguments, historyConnection, readHistory } from './record-history.js';

/** The history of a record, among its fields. */
export const historyField = (
  builder: Builder,
  t: RecordFields,
  resource: Resource,
): Record<string, FieldRef<SchemaTypes>> =>
  resource.kind === 'child'
    ? {}
    : {
        history: t.field({
          type: historyConnection(builder),
          description:
            'Its versions as far as the journal has them, the newest first, with the changes of its lines; with `asOf` those up to then.',
          select: { id: true },
          args: historyArguments(builder),
          resolve: (row, page, context) => readHistory(context, resource, row.id, page, pastOf(row)?.record.version),
        }),
      };

export function addHistory(builder: Builder, resources: readonly Resource[]): void {
  const resourceOfId = resourceById(resources);

  builder.queryField('history', (t) =>
    t.field({
      type: historyConnection(builder),
      nullable: true,
      ...withAccess('by id'),
      description:
        'The history of a document by its id, also of one that is deleted; null where neither the journal nor the records know this id.',
      args: {
        id: t.arg.id({ required: true, description: 'Id of the document. A line is in the history of its parent.' }),
        ...historyArguments(builder),
      },
      resolve: async (_, { id, ...page }, context) => {
        const resource = resourceOfId(id);
        if (!resource) return null;
        requireScopes(context.identity, requiredScopes(resource, 'retrieve'));
        if (resource.kind === 'child')
          throw errors.invalidAt(['id'], 'names a line; ask for the history of its parent');
        const history = await readHistory(context, resource, id, page);
        if (history.hasOlder || history.hasNewer || history.revisions.length > 0 || history.isBounded) return history;
        const present = await readOne(context, resource, id, { select: { id: true } });
        return present && history;
      },
    }),
  );

  builder.queryField('changes', (t) =>
    t.field({
      type: changePage(builder),
      nullable: true,
      ...withAccess('by id'),
      description:
        'All committed changes after a position, oldest first, of the types that the key may read. Nothing is left out: what the journal no longer holds is refused.',
      args: {
        after: t.arg.string({
          description: 'A position. Without it, the oldest change that the journal still holds comes first.',
        }),
        first: t.arg.int({
          description: `How many, 1 to ${largestPageSize}; ${defaultPageSize} where it is left out.`,
          ...constrained({ minimum: 1, maximum: largestPageSize }),
        }),
        types: t.arg({ type: [recordTypeName(builder)], description: 'Only records of these types.', ...mostNamed }),
        actions: t.arg({ type: [changeAction(builder)], description: 'Only these actions.', ...mostNamed }),
      },
      resolve: async (_, { after: text, first, types, actions }, context) => {
        const after = text == null ? undefined : positionAfter(text);
        const { database, identity } = context;
        const readable = readableAmong(identity, resources, types);
        const { start } = await startOf(context, after);
        const page = await changeFeed(wholeOf(database), resources, {
          after: start,
          first: first ?? defaultPageSize,
          types: readable,
          actions: actions ? new Set(actions) : undefined,
          rights: identity.rights,
        });
        // Entries may have been deleted while they were read.
        const { isOn } = await startOf(context, after ?? start);
        if (!isOn && page.entries.length === 0 && !page.hasMore) throw errors.operationUnknown(notKept);
        return page;
      },
    }),
  );
}

const notKept = 'There are no further changes: the journal of changes is turned off (JOURNAL=false).';

/** The position to read after, and whether changes are written down. @throws BAD_USER_INPUT if the journal no longer holds what followed it */
async function startOf({ database }: RequestContext, after: number | undefined) {
  const { oldest, last, isHeld, isOn } = await continuationOf(database, after ?? 0);
  if (after === undefined) return { start: oldest, isOn };
  if (isHeld) return { start: after, isOn };
  const remedy = `read the records anew, and go on after ${last}`;
  if (after < oldest)
    throw errors.invalidAt(['after'], `is too old: the journal holds only what follows ${oldest}; ${remedy}`);
  throw errors.invalidAt(
    ['after'],
    `is not a position of this journal, which may have been restored from a backup; ${remedy}`,
  );
}

/** What a gateway that serves has of the past. */
export const servedHistory: ServedFeature = {
  schema: addHistory,
  fields: historyField,
  arguments: pastArgument,
  guard: answerPast,
  errors: historyErrors,
  endpoints: changesEndpoint,
  ofRecords: ['history', 'as_of'],
};
