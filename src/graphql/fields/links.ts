/** Fields of records that lead to other records: the one that a text names, and on the way back all that name this one. */
import type { Link, Resource, WayBack } from '../../model/resource.js';
import { conditionOf } from '../../query/filter.js';
import { keysOf, newestFirst } from '../../query/keyset.js';
import { pageOf } from '../../query/page.js';
import { namingWhere } from '../../query/read.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { listArguments } from '../inputs/orders.js';
import { connectionOf, pageArguments, selectionOfPage } from '../types/connection.js';
import { linkedRecord, namedRecordId } from '../types/linked-records.js';
import { typeOf } from '../types/record-object-types.js';
import { addRecordFields, type RecordFields } from '../types/record-type.js';
import { listed } from './queries.js';

export function addLinkFields(builder: Builder, resources: readonly Resource[]): void {
  const isThere = ({ resource }: Link | WayBack) => resources.includes(resource);
  for (const resource of resources) {
    addRecordFields(builder, typeOf(builder, resource), (t) =>
      Object.fromEntries([
        ...resource.links.filter(isThere).map((link) => [link.field, linkField(builder, t, link)]),
        ...resource.waysBack.filter(isThere).map((wayBack) => [wayBack.field, wayBackField(builder, t, wayBack)]),
      ]),
    );
  }
}

function linkField(builder: Builder, t: RecordFields, link: Link) {
  const { text, resource, by } = link;
  const shared = by === 'id' ? '' : `; the newest of them where several have the same \`${by}\``;
  return t.present({
    type: typeOf(builder, resource),
    description: `The ${resource.title} that \`${text}\` names by its \`${by}\`${shared}. Null where it names none.`,
    select: { [text]: true },
    ...withAccess({ resource, operation: 'retrieve' }, answeredBySql({ kind: 'link', link })),
    resolve: (row, _, context, info) => linkedRecord(context, link, row[text], info),
  });
}

function wayBackField(builder: Builder, t: RecordFields, wayBack: WayBack) {
  const { resource, link } = wayBack;
  return t.present({
    type: connectionOf(builder, resource),
    description: `Every ${resource.title} of which \`${link.field}\` gives this record, newest created first unless ordered otherwise.`,
    select: { id: true, [link.by]: true },
    args: { ...listArguments(builder, resource), ...pageArguments(builder) },
    ...withAccess({ resource, operation: 'list' }, answeredBySql({ kind: 'related', list: wayBack }, listed)),
    resolve: async (row, { where, orderBy, ...args }, context, info) => {
      // A record is named by the text only if it is the newest with it.
      const isNamed = link.by === 'id' || (await namedRecordId(context, link, row[link.by], info)) === row.id;
      return pageOf(context, resource, {
        where: { AND: [namingWhere(link, isNamed ? row[link.by] : undefined), conditionOf(resource, where)] },
        keys: keysOf(resource, orderBy, newestFirst),
        selection: selectionOfPage(context, info, resource),
        arguments: args,
      });
    },
  });
}
