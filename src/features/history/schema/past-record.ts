/** A record as it was: the argument `asOf`, and what answers it. */
import {
  type FragmentDefinitionNode,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { RequestContext } from '../../../change/context.js';
import { guardResolver, recordOf } from '../../../graphql/answered-by-sql.js';
import { perBuilder } from '../../../graphql/builder.js';
import { errors } from '../../../model/errors/errors.js';
import type { PastId } from '../../../model/ids.js';
import { connectionField } from '../../../model/links.js';
import type { Lines, Resource } from '../../../model/resource.js';
import { Effort } from '../past/effort.js';
import { documentOfLine, isPast, type PastDocument, type PastRecord } from '../past/past-document.js';
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

/**
 * Answers fields of records of the past from what was read of the past. The resolvers of present records would read the
 * database, and show a present value as one of the past.
 */

/** The arguments as GraphQL gives them to any resolver. */
type Arguments = Parameters<GraphQLFieldResolver<unknown, RequestContext>>[1];
type PastAnswer = (row: PastRecord, args: Arguments, context: RequestContext) => unknown;

/** The extensions of a record field that can be asked with `asOf`. */
export const answeredOfPast = (past: PastAnswer): { past: PastAnswer } => ({ past });

const pastAnswerOf = ({ extensions }: { extensions: { past?: PastAnswer } }): PastAnswer | undefined => extensions.past;

/**
 * Makes each record field answer for records of the past as its extensions say. A field without them is refused there.
 */
export function answerPast(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !recordOf(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const answer = pastAnswerOf(field);
      guardResolver(field, (resolve) => (source, args, context, info) => {
        if (!isPast(source)) return resolve(source, args, context, info);
        if (answer) return answer(source, args, context);
        const message = 'is not known of the past; ask for it without `asOf`';
        throw errors.badInput([{ path: [field.name], code: 'parameter_invalid', message }]);
      });
    }
  }
  return schema;
}
