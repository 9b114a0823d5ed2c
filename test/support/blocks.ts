import type { Database } from '../../src/database/open-database.js';
import type { Resource } from '../../src/model/resource.js';

/**
 * Splits the blocks of a record type on PostgreSQL now, which commits do only now and then; SQLite has split them
 * already.
 */
export async function tendBlocks({ client, provider }: Database, { model }: Resource): Promise<void> {
  if (provider === 'sqlite') return;
  // Announced, seen, counted.
  for (const _ of 'abc') await client.$executeRawUnsafe(`SELECT "gateway_block_tend"('${model}')`);
}

/** A block with the number of records before it: as readers compute it, and the true number. */
export interface Reckoned {
  first: string;
  reckoned: number;
  there: number;
}

export async function reckonedBlocks({ client }: Database, { model }: Resource): Promise<Reckoned[]> {
  const rows = await client.$queryRawUnsafe<Record<keyof Reckoned, unknown>[]>(`
    SELECT block."first",
      (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" AS other
        WHERE other."model" = '${model}' AND other."announcedBy" IS NULL AND other."first" < block."first")
      + (SELECT coalesce(sum("change"), 0) FROM "RecordBlockChange"
        WHERE "model" = '${model}' AND "id" < block."first") AS reckoned,
      (SELECT count(*) FROM "${model}" WHERE "id" < block."first") AS there
    FROM "RecordBlock" AS block WHERE block."model" = '${model}' AND block."announcedBy" IS NULL ORDER BY block."first"`);
  return rows.map(({ first, reckoned, there }) => ({
    first: String(first),
    reckoned: Number(reckoned),
    there: Number(there),
  }));
}
