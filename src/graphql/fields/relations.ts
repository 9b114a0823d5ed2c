/**
 * Fields of records that lead to others beside their parents and lists of lines: the record that a text names, and page by page all
 * that name this one, and the lines of this one.
 */

import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { oncePer } from '../../common/kept.js';
import { connectionField, isShort, type Lines, type Link, type Resource, type WayBack } from '../../model/resource.js';
import { allOf, type Condition, equals, namingCondition } from '../../query/condition.js';
import type { Load, SelectedRecord } from '../../query/delegate.js';
import { byPosition, listOf, newestFirst, type SortKeys } from '../../query/list.js';
import { pageOf } from '../../query/page.js';
import { readLinked } from '../../query/read.js';
import { type Access, answeredBySql, withAccess } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { listArguments } from '../inputs/filters.js';
import { connectionOf, pageArguments, selectionOfPage } from '../types/connection.js';
import { typeOf } from '../types/record-object-types.js';
import { addRecordFields, type RecordFields } from '../types/record-type.js';

export function addRelations(builder: Builder, resources: readonly Resource[]): void {
  const isThere = ({ resource }: Link | WayBack) => resources.includes(resource);
  for (const resource of resources) {
    addRecordFields(builder, typeOf(builder, resource), (t) =>
      Object.fromEntries([
        ...resource.lines.map((lines) => [connectionField(lines), linesConnection(builder, t, lines)]),
        ...resource.links.filter(isThere).map((link) => [link.field, linkField(builder, t, link)]),
        ...resource.waysBack.filter(isThere).map((wayBack) => [wayBack.field, wayBackField(builder, t, wayBack)]),
      ]),
    );
  }
}

const linesConnection = (builder: Builder, t: RecordFields, lines: Lines) =>
  connection(builder, t, lines, {
    description: `\`${lines.field}\` page by page.`,
    select: { id: true },
    order: byPosition,
    conditionFor: ({ id }) => equals(lines.reference, id),
  });

const wayBackField = (builder: Builder, t: RecordFields, wayBack: WayBack) => {
  const { resource, link } = wayBack;
  return connection(builder, t, wayBack, {
    description: `Every ${resource.title} of which \`${link.field}\` gives this record, newest created first unless ordered otherwise.`,
    select: { id: true, [link.by]: true },
    access: { resource, operation: 'list' },
    order: newestFirst,
    conditionFor: async (row, context, info) => {
      // A record is named by the text only if it is the newest with it.
      const isNamed = link.by === 'id' || (await namedRecordId(context, link, row[link.by], info)) === row.id;
      return namingCondition(link, isNamed ? row[link.by] : undefined);
    },
  });
};

interface Related {
  description: string;
  select: Record<string, true>;
  access?: Access;
  order: SortKeys;
  /** Which records of the type are related to the row. */
  conditionFor(row: SelectedRecord, context: RequestContext, info: GraphQLResolveInfo): Condition | Promise<Condition>;
}

function connection(
  builder: Builder,
  t: RecordFields,
  list: Lines | WayBack,
  { description, select, access, order, conditionFor }: Related,
) {
  const { resource } = list;
  const args = { ...listArguments(builder, resource), ...pageArguments(builder) };
  return t.present({
    type: connectionOf(builder, resource),
    description,
    select,
    args,
    extensions: { ...answeredBySql({ kind: 'related', list }, Object.keys(args)), access },
    resolve: async (row, { where, orderBy, ...page }, context, info) => {
      const list = listOf(resource, { where, orderBy }, order);
      return pageOf(context, resource, {
        ...list,
        where: allOf(await conditionFor(row, context, info), list.where),
        selection: selectionOfPage(context, info, resource),
        arguments: page,
      });
    },
  });
}

function linkField(builder: Builder, t: RecordFields, link: Link) {
  const { text, resource, by } = link;
  const shared = by === 'id' ? '' : `; the newest of them where several have the same \`${by}\``;
  return t.present({
    type: typeOf(builder, resource),
    description: `The ${resource.title} that \`${text}\` names by its \`${by}\`${shared}. Null where it names none.`,
    select: { [text]: true },
    ...withAccess({ resource, operation: 'retrieve' }, answeredBySql({ kind: 'link', link })),
    resolve: (row, _, context, info) =>
      linkedRecord(context, link, row[text], info, () =>
        queryFromInfo({ context, info, typeName: resource.model, select: { id: true } }),
      ),
  });
}

const namedRecordId = async (context: RequestContext, link: Link, text: unknown, info: GraphQLResolveInfo) =>
  (await linkedRecord(context, link, text, info, () => ({ select: { id: true } })))?.id;

/** The records that one field of an operation is asked for in the same turn. */
interface Batch {
  texts: Set<string>;
  found: Promise<ReadonlyMap<string, SelectedRecord>>;
}

const openBatches = oncePer((_operation: RequestContext) => new Map<string, Batch>());

/** The record that a text names; null if there is none. Further calls in the same turn share its statement. */
async function linkedRecord(
  context: RequestContext,
  link: Link,
  text: unknown,
  info: GraphQLResolveInfo,
  selectionOf: () => Load,
): Promise<SelectedRecord | null> {
  if (typeof text !== 'string' || !isShort(text)) return null;
  const open = openBatches(context);
  const place = placeOf(info);
  let batch = open.get(place);
  if (!batch) {
    const texts = new Set<string>();
    // The fields of all records of a list are asked for before the next turn of the event loop.
    const found = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      open.delete(place);
      return readLinked(context, link, [...texts], selectionOf());
    });
    batch = { texts, found };
    open.set(place, batch);
  }
  batch.texts.add(text);
  return (await batch.found).get(text) ?? null;
}

/** The place of a field in the answer, the same for all records of its list. */
function placeOf({ parentType, path }: GraphQLResolveInfo): string {
  const keys: (string | number)[] = [];
  for (let at: typeof path | undefined = path; at; at = at.prev) if (typeof at.key === 'string') keys.push(at.key);
  return [parentType.name, ...keys].join(' ');
}
