import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import { Prisma } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';
import { type Client, delegate, type Row, type Selection } from './delegate.js';
import { byPosition, orderOf } from './keyset.js';
import { claimParent, forgetParent, scopeOf, unknownParent } from './parents.js';

/** One statement names every moved line, so their number is bounded by what a statement may bind. */
const linesPerStatement = 1000;

/**
 * Puts the lines of a parent into the order of `ids`, which must name each of them once; without `ids` it only closes
 * gaps. Returns the lines in their new order (decision: reorder).
 * @throws BAD_USER_INPUT `reorder_mismatch` with the `unexpected` ids, and the `missing` where `tellsMissing`; `resource_missing`
 */
export function reorder(
  { database }: Pick<RequestContext, 'database'>,
  resource: Resource,
  parentId: string,
  ids: readonly string[] | undefined,
  selection: Selection,
  { tellsMissing }: { tellsMissing: boolean },
): Promise<Row[]> {
  const where = { [scopeOf(resource)]: parentId };
  return database.transaction(async (tx) => {
    await claimParent(tx, resource, parentId, unknownParent(['parentId'], parentId));
    const lines = delegate(tx, resource);
    const present = await lines.findMany({
      where,
      orderBy: orderOf(byPosition, false),
      select: { id: true, idx: true },
    });
    const wanted = ids ?? present.map(({ id }) => id);
    refuseMismatch(present, wanted, tellsMissing);
    if (present.length === 0) {
      await forgetParent(tx, resource, parentId);
      return [];
    }
    const places = new Map(present.map(({ id, idx }) => [id, idx]));
    const moved = wanted.map((id, index) => ({ id, idx: index + 1 })).filter(({ id, idx }) => places.get(id) !== idx);
    for (let start = 0; start < moved.length; start += linesPerStatement) {
      await place(tx, resource, moved.slice(start, start + linesPerStatement));
    }
    return lines.findMany({ ...selection, where, orderBy: orderOf(byPosition, false) });
  });
}

function refuseMismatch(present: Row[], wanted: readonly string[], tellsMissing: boolean): void {
  const left = new Set(present.map(({ id }) => id));
  const unexpected = wanted.filter((id) => !left.delete(id));
  if (unexpected.length === 0 && left.size === 0) return;
  throw errors.badInput([
    {
      path: ['ids'],
      code: 'reorder_mismatch',
      message: `must name every line of the parent exactly once; ${tellsMissing ? '`missing` and `unexpected` say' : '`unexpected` says'} which do not fit`,
      details: tellsMissing ? { missing: [...left], unexpected } : { unexpected },
    },
  ]);
}

async function place(tx: Client, resource: Resource, moved: { id: string; idx: number }[]): Promise<void> {
  const table = Prisma.raw(`"${resource.model}"`);
  const cases = Prisma.join(
    moved.map(({ id, idx }) => Prisma.sql`WHEN ${id} THEN CAST(${idx} AS INTEGER)`),
    ' ',
  );
  const ids = Prisma.join(moved.map(({ id }) => id));
  await tx.$executeRaw`UPDATE ${table} SET "idx" = CASE "id" ${cases} END, "version" = "version" + 1 WHERE "id" IN (${ids})`;
}
