/** The history of a document: its arguments, and how it is read. */
import type { RequestContext } from '../../../change/context.js';
import { SeenEntries, versionPlace, wholeOf } from '../../../change/journal/seen-entries.js';
import { itemsInTurns } from '../../../database/turns.js';
import { objectOf, perBuilder } from '../../../graphql/builder.js';
import { pageArguments, pageInfo } from '../../../graphql/types/connection.js';
import { changeAction, storedActionText } from '../../../graphql/types/enums.js';
import { errors } from '../../../model/errors/errors.js';
import type { Resource } from '../../../model/resource.js';
import { extentOf, type PageArguments } from '../../../query/page.js';
import { type HistoryPage, historyOf, isComplete, type Revision } from '../history.js';
import { effortOf } from '../past/past-document.js';
import { author, changesOfEntry, fieldChange } from './change-feed-types.js';

/** Those of a page, but for the offset. */
export const historyArguments = perBuilder((builder) => {
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

/** A version as a caller with rights may know it. */
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

export const historyConnection = objectOf<History>('HistoryConnection', {
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
