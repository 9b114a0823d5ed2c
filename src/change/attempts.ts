import { HeldLog } from '../common/log.js';
import { inOneTransaction } from '../database/inside-transaction.js';
import type { TransactionClient } from '../database/open-database.js';
import type { RequestContext } from './context.js';
import { forgetErrors } from './observation.js';

/**
 * Runs `work` in one transaction, again after a conflict. Each attempt gets a context of its own, as if there had been none
 * before: what an attempt that was undone has logged, reported and written is forgotten. @throws as `inOneTransaction`
 */
export async function inAttempts<Result>(
  context: RequestContext,
  work: (attempt: RequestContext, tx: TransactionClient) => Promise<Result>,
): Promise<Result> {
  let log = new HeldLog(context.log);
  try {
    return await inOneTransaction(context.database, (database, tx) => {
      forgetErrors(context.observation);
      log = new HeldLog(context.log);
      const { rows, characters } = context.written ?? { rows: 0, characters: 0 };
      return work({ ...context, database, log, written: { rows, characters } }, tx);
    });
  } finally {
    log.write();
  }
}
