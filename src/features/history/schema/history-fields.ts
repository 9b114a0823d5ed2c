/** `history` of a document, and `changes` of all records, as the journal has them. */

import type { FieldRef } from '@pothos/core';
import type { RequestContext } from '../../../change/context.js';
import { changeFeed, positionAfter } from '../../../change/journal/journal.js';
import { continuationOf } from '../../../change/journal/journal-state.js';
import { SeenEntries, versionPlace, wholeOf } from '../../../change/journal/seen-entries.js';
import { itemsInTurns } from '../../../database/turns.js';
import type { ServedFeature } from '../../../gateway/feature.js';
import { withAccess } from '../../../graphql/answered-by-sql.js';
import { type Builder, objectOf, perBuilder, type SchemaTypes } from '../../../graphql/builder.js';
import { constrained, mostNamed } from '../../../graphql/inputs/filters.js';
import { pageArguments, pageInfo } from '../../../graphql/types/connection.js';
import { changeAction, recordTypeName, storedActionText } from '../../../graphql/types/enums.js';
import type { RecordFields } from '../../../graphql/types/record-type.js';
import { errors } from '../../../model/errors/errors.js';
import { defaultPageSize, largestPageSize } from '../../../model/limits.js';
import { type Resource, resourceById } from '../../../model/resource.js';
import { readableAmong, requiredScopes, requireScopes } from '../../../model/scopes.js';
import { extentOf, type PageArguments } from '../../../query/page.js';
import { readOne } from '../../../query/read.js';
import { changesEndpoint } from '../changes-endpoint.js';
import { type HistoryPage, historyOf, isComplete, type Revision } from '../history.js';
import { effortOf, historyErrors, pastOf } from '../past/past-document.js';
import { author, changePage, changesOfEntry, fieldChange } from './change-feed-types.js';
import { answerPast, pastArgument } from './past-record.js';

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

export const servedHistory: ServedFeature = {
  schema: addHistory,
  fields: historyField,
  arguments: pastArgument,
  guard: answerPast,
  errors: historyErrors,
  endpoints: changesEndpoint,
  ofRecords: ['history', 'as_of'],
};

// The history of a document: its arguments, and how it is read.

/** Those of a page, but for the offset. */
const historyArguments = perBuilder((builder) => {
  const { offset: _offset, ...others } = pageArguments(builder);
  return others;
});

/**
 * `upTo` is the version with which it begins, by default the newest. @throws BAD_USER_INPUT for a cursor of something else, at
 * once: so such errors are counted before the next field is asked
 */
export function readHistory(
  context: RequestContext,
  resource: Resource,
  id: string,
  given: PageArguments,
  upTo?: unknown,
): Promise<History> {
  const [after, above] = [cursorIn(given, 'after'), cursorIn(given, 'before')];
  const end = typeof upTo === 'number' ? upTo + 1 : undefined;
  const below = after !== undefined && end !== undefined ? Math.min(after, end) : (after ?? end);
  const { size, backwards, head, isOpen } = extentOf(given);
  const { database, identity } = context;
  return effortOf(context).inTurn(async () => {
    const whole = versionPlace(resource, id);
    const seen = identity.rights && (await SeenEntries.read(wholeOf(database), identity.rights, [whole]));
    const sight = seen?.sightOf(whole);
    const page = await historyOf(database, resource, id, { size, backwards, head, below, above, seen: sight });
    return {
      ...page,
      revisions: seen ? page.revisions.flatMap((revision) => shownOf(revision, seen)) : page.revisions,
      hasNewer: page.hasNewer || (isOpen && !backwards && below !== end),
      document: { resource, id },
      isBounded: below !== end || above !== undefined,
      isAll: sight?.isAll ?? true,
    };
  });
}

function shownOf(revision: Revision, seen: SeenEntries): Revision[] {
  const [own, ...ofLines] = revision.flatMap((entry) => seen.shown(entry) ?? []);
  return own ? [[own, ...ofLines]] : [];
}

/** The revision in a cursor. @throws BAD_USER_INPUT */
function cursorIn(given: PageArguments, argument: 'after' | 'before'): number | undefined {
  const cursor = given[argument];
  if (cursor == null) return undefined;
  if (!/^\d{1,9}$/.test(cursor)) throw errors.invalidAt([argument], 'is not a cursor of this history');
  return Number(cursor);
}

const documentVersion = objectOf<Revision>('DocumentVersion', {
  description: 'One version of a document: who made it, when, and what it changed, in its fields and in its lines.',
  fields: (t, builder) => ({
    at: t.field({ type: 'DateTime', description: 'When.', resolve: ([own]) => own.at }),
    action: t.field({
      type: changeAction(builder),
      description: 'What happened to the document. A change of its lines is an update.',
      resolve: ([own]) => own.action,
    }),
    storedAction: t.string({ description: storedActionText, resolve: ([own]) => own.action }),
    version: t.int({
      description: 'The `version` of the document since then; of a deleted one its last.',
      resolve: ([own]) => own.version,
    }),
    by: t.field({ type: author(builder), description: 'Who.', resolve: ([own]) => own.author }),
    changes: t.field({
      type: [fieldChange(builder)],
      description: 'Each changed field, first those of the document, then those of its lines.',
      // A version may have changed thousands of lines, each with many fields.
      resolve: (entries, _, { deadline }) => itemsInTurns(changesIn(entries), deadline?.signal),
    }),
  }),
});

function* changesIn(entries: Revision) {
  for (const entry of entries) yield* changesOfEntry(entry);
}

const cursorOf = ([own]: Revision): string => String(own.revision);

const historyEdge = objectOf<Revision>('HistoryEdge', {
  description: 'One version and its place in the history.',
  fields: (t, builder) => ({
    cursor: t.string({ description: 'Marks this place; give it to `after` or `before`.', resolve: cursorOf }),
    node: t.field({
      type: documentVersion(builder),
      description: 'The version.',
      resolve: (version) => version,
    }),
  }),
});

type History = HistoryPage & {
  document: { resource: Resource; id: string };
  /** Whether a cursor bounds it. */
  isBounded: boolean;
  /** Whether there are no versions that the caller does not see. */
  isAll: boolean;
};

const historyConnection = objectOf<History>('HistoryConnection', {
  description: 'One page of the history of a document, the newest version first.',
  fields: (t, builder) => ({
    edges: t.field({
      type: [historyEdge(builder)],
      description: 'The versions of this page, each with its cursor.',
      resolve: ({ revisions }) => [...revisions],
    }),
    nodes: t.field({
      type: [documentVersion(builder)],
      description: 'The versions of this page.',
      resolve: ({ revisions }) => [...revisions],
    }),
    pageInfo: t.field({
      type: pageInfo(builder),
      description: 'Where the page stands in the history.',
      resolve: ({ revisions, hasOlder, hasNewer }) => ({
        hasNextPage: () => hasOlder,
        hasPreviousPage: () => hasNewer,
        startCursor: () => placeOf(revisions.at(0)),
        endCursor: () => placeOf(revisions.at(-1)),
      }),
    }),
    complete: t.boolean({
      description:
        'Whether the journal has every version of the document since it was created. False if older versions are no longer kept, or if some were made while the journal was turned off.',
      resolve: ({ document: { resource, id }, isAll }, _, { database }) => isAll && isComplete(database, resource, id),
    }),
  }),
});

const placeOf = (revision: Revision | undefined): string | null => (revision ? cursorOf(revision) : null);
