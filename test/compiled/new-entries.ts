import type { TestGateway } from '../support/gateway.js';

/** Returns a function that reads the new entries of the journal since its last call, without ids and times. */
export async function journalFollower({ journal }: Pick<TestGateway, 'journal'>): Promise<() => Promise<object[]>> {
  let { last } = await journal.continuationOf(0);
  return async () => {
    const { entries } = await journal.read(last, 1000);
    last = entries.at(-1)?.position ?? last;
    return entries.map(({ action, resource, revision, version, author, changes }) => ({
      action,
      type: resource.model,
      revision,
      version,
      operation: author.operation,
      changes: Object.fromEntries(
        changes.filter(({ field }) => !/Id$/.test(field)).map(({ field, before, after }) => [field, [before, after]]),
      ),
    }));
  };
}
