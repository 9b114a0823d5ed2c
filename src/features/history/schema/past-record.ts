/** A record as it was: the argument `asOf`, and what answers it. */
import { type FragmentDefinitionNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import type { RequestContext } from '../../../change/context.js';
import { perBuilder } from '../../../graphql/per-builder.js';
import { connectionField } from '../../../model/links.js';
import type { PastId } from '../../../model/past-id.js';
import type { Lines, Resource } from '../../../model/resource.js';
import { documentOfLine } from '../past/document-of-line.js';
import { Effort } from '../past/effort.js';
import type { PastDocument, PastRecord } from '../past/past-document.js';
import { readPast } from '../past/read-past.js';

export const pastArgument = perBuilder((builder) =>
  builder.args((t) => ({
    asOf: t.field({ type: 'DateTime' }),
  })),
);

/** What a request may still compute, and the documents that several of its states are of: those of lines. */
interface Past {
  effort: Effort;
  documents: Map<string, Promise<PastDocument | null>>;
}

const pasts = new WeakMap<RequestContext, Past>();

/** @throws as `readPast` does */
export async function pastRecord(
  context: RequestContext,
  resource: Resource,
  { id, asOf }: { id: string; asOf: Date },
  info: GraphQLResolveInfo,
): Promise<PastRecord | null> {
  const request = { resource, id, moment: { asOf }, lists: listsIn(resource, info), effort: pastFor(context).effort };
  const document = await readPast(context.database, request);
  return document ? document.record : null;
}

/** What an id of the past names, a document or a line of one. @throws as `readPast` does */
export async function pastNode(
  context: RequestContext,
  resource: Resource,
  { id, version }: PastId,
  info: GraphQLResolveInfo,
): Promise<PastRecord | null> {
  const { database } = context;
  const { effort, documents } = pastFor(context);
  const owner = resource.kind === 'child' ? await documentOfLine(database, resource, id) : { resource, id };
  if (!owner) return null;
  const selected = new Set(listsIn(owner.resource, info));
  const lists = owner.resource.lines.filter((list) => list.resource === resource || selected.has(list));
  const key = [owner.id, version, ...lists.map(({ field }) => field)].join(' ');
  const reading = documents.get(key) ?? readPast(database, { ...owner, moment: { version }, lists, effort });
  documents.set(key, reading);
  const document = await reading;
  if (owner.resource === resource) return document?.record ?? null;
  return document?.linesOf(resource).find((line) => line.id === id) ?? null;
}

function pastFor(context: RequestContext): Past {
  const refuse = (error: Error) => context.meter?.refuse(error) ?? error;
  const past = pasts.get(context) ?? { effort: new Effort(refuse), documents: new Map() };
  pasts.set(context, past);
  return past;
}

/** The lists of lines that are selected at any depth, or all of them if a condition may look at those that are not. */
function listsIn({ lines }: Resource, { fieldNodes, fragments }: GraphQLResolveInfo): readonly Lines[] {
  const selected = new Selected(fragments);
  for (const { selectionSet } of fieldNodes) if (selectionSet) selected.add(selectionSet);
  const isSelected = (list: Lines) => selected.names.has(list.field) || selected.names.has(connectionField(list));
  return selected.hasConditions ? lines : lines.filter(isSelected);
}

/** The names of all fields of a selection, and whether any of them has a condition. */
class Selected {
  readonly names = new Set<string>();
  readonly #spread = new Set<string>();
  hasConditions = false;

  constructor(readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>) {}

  add({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value;
        const fragment = this.fragments[name];
        if (fragment && !this.#spread.has(name)) {
          this.#spread.add(name);
          this.add(fragment.selectionSet);
        }
        continue;
      }
      if (selection.kind === Kind.FIELD) {
        this.names.add(selection.name.value);
        if (selection.arguments?.some(({ name }) => name.value === 'where')) this.hasConditions = true;
      }
      if (selection.selectionSet) this.add(selection.selectionSet);
    }
  }
}
