/** Reads linked records for all records of a list at once. */
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { isShort } from '../../model/links.js';
import type { Link } from '../../model/resource.js';
import type { SelectedRecord, Selection } from '../../query/delegate.js';
import { readLinked } from '../../query/read.js';

/** The records that one field of an operation is asked for in the same turn. */
interface Batch {
  texts: Set<string>;
  found: Promise<ReadonlyMap<string, SelectedRecord>>;
}

const batches = new WeakMap<RequestContext, Map<string, Batch>>();

/** The record that a text names; null if there is none. Further calls in the same turn share its statement. */
export const linkedRecord = (context: RequestContext, link: Link, text: unknown, info: GraphQLResolveInfo) =>
  inBatch(context, link, text, info, () =>
    queryFromInfo({ context, info, typeName: link.resource.model, select: { id: true } }),
  );

/** Only the id of that record. */
export const namedRecordId = async (context: RequestContext, link: Link, text: unknown, info: GraphQLResolveInfo) =>
  (await inBatch(context, link, text, info, () => ({ select: { id: true } })))?.id;

async function inBatch(
  context: RequestContext,
  link: Link,
  text: unknown,
  info: GraphQLResolveInfo,
  selectionOf: () => Selection,
): Promise<SelectedRecord | null> {
  if (typeof text !== 'string' || !isShort(text)) return null;
  const open = batches.get(context) ?? new Map<string, Batch>();
  batches.set(context, open);
  const place = placeOf(info);
  const batch = open.get(place) ?? newBatch();
  open.set(place, batch);
  batch.texts.add(text);
  return (await batch.found).get(text) ?? null;

  function newBatch(): Batch {
    const texts = new Set<string>();
    const found = endOfTurn().then(() => {
      open.delete(place);
      return readLinked(context, link, [...texts], selectionOf());
    });
    return { texts, found };
  }
}

/** The fields of all records of a list are asked for before the next turn of the event loop. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** The place of a field in the answer, the same for all records of its list. */
function placeOf({ parentType, path }: GraphQLResolveInfo): string {
  const keys: (string | number)[] = [];
  for (let at: typeof path | undefined = path; at; at = at.prev) if (typeof at.key === 'string') keys.push(at.key);
  return [parentType.name, ...keys].join(' ');
}
