import type { RequestContext } from '../context.js';
import type { TransactionClient } from '../database/open.js';

type Context = Pick<RequestContext, 'database'>;

/** The context within an open transaction: whatever goes through a door of `records/` becomes a part of it. */
export const within = ({ database }: Context, tx: TransactionClient): Context => ({
  database: { ...database, client: tx, transaction: (work) => work(tx) },
});

/**
 * What `work` would come to: it runs for real, in a transaction that is undone when it ends. Everything `work` throws is
 * thrown, so what would be refused is refused.
 */
export async function dryRun<Result>(context: Context, work: (rehearsal: Context) => Promise<Result>): Promise<Result> {
  let outcome: { result: Result } | undefined;
  const undo = new Error('The dry run is over');
  try {
    await context.database.transaction(async (tx) => {
      outcome = { result: await work(within(context, tx)) };
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  if (!outcome) throw new Error('A dry run ends with what it came to');
  return outcome.result;
}
