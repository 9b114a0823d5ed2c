import type { RequestContext } from '../context.js';
import { Prisma } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';
import { refuse, repetitions, unknown } from './list-problems.js';

/** Deletes records for good, and their lines with them. @throws BAD_USER_INPUT with every id that names none */
export async function deleteRecords(
  { database }: Pick<RequestContext, 'database'>,
  resource: Resource,
  ids: readonly string[],
): Promise<void> {
  refuse(
    repetitions(
      ids,
      (id) => id,
      (index) => ['ids', index],
    ),
  );
  if (ids.length === 0) return;
  await database.transaction(async (tx) => {
    const table = Prisma.raw(`"${resource.model}"`);
    const gone = await tx.$queryRaw<
      { id: string }[]
    >`DELETE FROM ${table} WHERE "id" IN (${Prisma.join([...ids])}) RETURNING "id"`;
    const found = new Set(gone.map(({ id }) => id));
    refuse(ids.flatMap((id, index) => (found.has(id) ? [] : [unknown(resource, id, ['ids', index])])));
  });
}
