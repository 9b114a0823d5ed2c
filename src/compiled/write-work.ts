/** What a mutation does, given its arguments: the same change that the resolvers make, with an answer made by the database. */
import { type Bytes, bytesIn } from '../bytes.js';
import type { Provider } from '../database/migration-history.js';
import { errors } from '../errors.js';
import type { Resource } from '../model/resource.js';
import type { Mutation } from '../records/change/perform.js';
import { create, move, update, type WrittenRecord } from '../records/change/record.js';
import { rows, type Work } from '../work.js';
import { dialects } from './dialect.js';
import { type Given, inputIn, numberIn, textIn } from './given.js';

/** The operations that are compiled, of records that stand by themselves; a line's concern its parent and its siblings too. */
export type CompiledOperation = 'create' | 'update' | 'submit' | 'cancel';

/** What is done, and the JSON text of the answer; undefined where the resolvers have something to say to the arguments. */
export type WriteWork = (given: Given) => Mutation<Bytes> | undefined;

/** `object` is the expression for the JSON text of the row `t0`; `showsMore` says that it reads further rows. */
export function writeWork(
  provider: Provider,
  resource: Resource,
  operation: CompiledOperation,
  object: string,
  showsMore: boolean,
): WriteWork {
  const folded = { object, showsMore };
  const sql = `SELECT ${object} FROM "${resource.model}" AS t0 WHERE t0."id" = ${dialects[provider].bound(1)}`;

  function* answered(work: Work<WrittenRecord>): Work<Bytes> {
    const { id, answer } = yield* work;
    const [row] = answer ? [answer] : yield* rows(sql, [id]);
    if (!row) throw errors.notFound(resource.title, id);
    return bytesIn(row[0]);
  }

  if (operation === 'create') {
    return (given) => {
      const input = inputIn(given, 'input');
      if (!input || !hasLists(input, resource)) return undefined;
      return (writing) => answered(create(writing, resource, input, folded));
    };
  }
  return (given) => {
    const id = textIn(given, 'id');
    const version = numberIn(given, 'expectedVersion');
    if (id === undefined) return undefined;
    if (operation !== 'update') {
      return (writing) => answered(move(writing, resource, { id, action: operation, version }, folded));
    }
    const input = inputIn(given, 'input');
    return input && ((writing) => answered(update(writing, resource, { id, input, version }, folded)));
  };
}

/** Whether its lines are lists: GraphQL takes one line for a list of one. */
function hasLists(input: Given, { lines }: Resource): boolean {
  return lines.every(({ field }) => input[field] == null || Array.isArray(input[field]));
}
