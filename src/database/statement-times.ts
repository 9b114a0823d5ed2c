import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { withQueries } from './adapter-queries.js';
import { callers } from './caller.js';

/** Wraps an adapter so that each request gets to know which of its queries took longest. */
export function withStatementTimes(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return withQueries(factory, (send) => async (query) => {
    const end = callers.getStore()?.statements?.begin(query.sql);
    const result = await send(query);
    end?.();
    return result;
  });
}
