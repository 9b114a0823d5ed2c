/** `consumedItemsConnection`: the lines of a record page by page, where there are many. */

import { connectionField } from '../../model/links.js';
import type { Lines, Resource } from '../../model/resource.js';
import { conditionOf } from '../../query/filter.js';
import { byPosition, keysOf } from '../../query/keyset.js';
import { pageOf } from '../../query/page.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { listArguments } from '../inputs/orders.js';
import { connectionOf, pageArguments, selectionOfPage } from '../types/connection.js';
import { typeOf } from '../types/record-object-types.js';
import { addRecordFields, type RecordFields } from '../types/record-type.js';
import { listed } from './queries.js';

export function addLineConnections(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) {
    addRecordFields(builder, typeOf(builder, resource), (t) =>
      Object.fromEntries(resource.lines.map((lines) => [connectionField(lines), linesConnection(builder, t, lines)])),
    );
  }
}

function linesConnection(builder: Builder, t: RecordFields, lines: Lines) {
  const { resource, reference, field } = lines;
  return t.present({
    type: connectionOf(builder, resource),
    description: `\`${field}\` page by page.`,
    select: { id: true },
    args: { ...listArguments(builder, resource), ...pageArguments(builder) },
    extensions: answeredBySql({ kind: 'related', list: lines }, listed),
    resolve: ({ id }, { where, orderBy, ...args }, context, info) => {
      const condition = conditionOf(resource, where);
      return pageOf(context, resource, {
        where: { AND: [{ [reference]: id }, condition] },
        keys: keysOf(resource, orderBy, byPosition),
        selection: selectionOfPage(context, info, resource),
        arguments: args,
      });
    },
  });
}
