import type { Database } from '../database/open.js';

/** Milliseconds an answer can be had again. */
const keptFor = 24 * 60 * 60 * 1000;

/** Forgets the answers of more than a day ago; returns how many. */
export async function sweep({ client }: Pick<Database, 'client'>, now = Date.now()): Promise<number> {
  const { count } = await client.idempotentRequest.deleteMany({
    where: { createdAt: { lt: new Date(now - keptFor) } },
  });
  return count;
}
