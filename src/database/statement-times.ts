import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { callers } from './caller.js';
import { withStatementLog } from './statement-log.js';

/** Wraps an adapter so that each request gets to know which of its statements took longest. */
export const withStatementTimes = (factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory =>
  withStatementLog(factory, (sql) => {
    if (frame.test(sql)) return undefined;
    const end = callers.getStore()?.statements?.begin(sql);
    return end && { comment: '', end };
  });

/** Statements without a plan. */
const frame = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/;
