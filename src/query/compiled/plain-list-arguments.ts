import { defaultPageSize, largestPageSize } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { isStorableText, largestInt32 } from '../../model/storable.js';
import { readCursor } from '../cursor.js';
import { newestFirst } from '../keyset.js';
import type { BoundValue } from '../sql/statement.js';
import { argumentsOf, inRange } from './arguments.js';
import type { Described } from './described-fields.js';
import type { Variables } from './variables.js';

/** The arguments of a plain list, as values of a request; undefined for a value that the resolvers refuse. */
export interface ListArguments {
  parentId: BoundValue;
  size: BoundValue;
  after: BoundValue;
  offset: BoundValue;
}

export function plainListArguments(resource: Resource, field: Described): ListArguments {
  const isChild = resource.scope !== undefined;
  const given = argumentsOf(field, isChild ? ['parentId', 'first', 'offset'] : ['first', 'after', 'offset']);
  return {
    parentId: (variables) => {
      const value = given.parentId?.(variables);
      return typeof value === 'string' && isStorableText(value) ? value : undefined;
    },
    size: (variables) => inRange(given.first?.(variables) ?? defaultPageSize, 0, largestPageSize),
    offset: (variables) => inRange(given.offset?.(variables) ?? 0, 0, largestInt32),
    after: (variables: Variables) => {
      const cursor = given.after?.(variables);
      if (cursor === undefined) return '';
      return typeof cursor === 'string' ? idIn(resource, cursor) : undefined;
    },
  };
}

/** The id in a cursor of the whole list; undefined for any other cursor, which the resolvers refuse. */
function idIn(resource: Resource, cursor: string): string | undefined {
  try {
    return readCursor(resource, newestFirst, cursor, 'after').id;
  } catch {
    return undefined;
  }
}
