/** What a mutation writes, given its arguments: the rows and the changes are those that `records/` makes for Prisma. */
import type { Batch } from '../database/direct.js';
import type { Provider } from '../database/migration-history.js';
import type { Resource } from '../model/resource.js';
import { moved, updated } from '../records/changed-record.js';
import { newRecord } from '../records/new-record.js';
import { updateProblems } from '../records/rules/index.js';
import { type Given, inputIn, numberIn, textIn } from './given.js';
import { insertBatches } from './insert.js';
import { updateBatches } from './update.js';

/** The operations that are compiled, of records that stand by themselves; a line's concern its parent and its siblings too. */
export type CompiledOperation = 'create' | 'update' | 'submit' | 'cancel';

/** What is written, or undefined where the resolvers have something to say to the arguments. */
export type WriteBatch = (given: Given) => Batch | undefined;

/** `object` is the expression for the JSON text of the row `t0`; `showsMore` says that it reads further rows. */
export function writeBatch(
  provider: Provider,
  resource: Resource,
  operation: CompiledOperation,
  object: string,
  showsMore: boolean,
): WriteBatch {
  if (operation === 'create') {
    const batchOf = insertBatches(provider, resource, object);
    return (given) => {
      const input = inputIn(given, 'input');
      return input && hasLists(input, resource) ? batchOf(newRecord(resource, input)) : undefined;
    };
  }
  const batchOf = updateBatches(provider, resource, object, showsMore);
  return (given) => {
    const id = textIn(given, 'id');
    const version = numberIn(given, 'expectedVersion');
    if (id === undefined) return undefined;
    if (operation !== 'update') return batchOf(moved(resource, id, operation, version));
    const input = inputIn(given, 'input');
    if (!input || updateProblems(resource, input).length > 0) return undefined;
    return batchOf(updated(resource, id, input, version));
  };
}

/** Whether its lines are lists: GraphQL takes one line for a list of one. */
function hasLists(input: Given, { lines }: Resource): boolean {
  return lines.every(({ field }) => input[field] == null || Array.isArray(input[field]));
}
