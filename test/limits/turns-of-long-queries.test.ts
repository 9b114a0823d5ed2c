/** Long queries take turns: each counts for its own request, and no key waits for all queries of another. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLongQueries, manyValues } from '../../src/gateway/execution/resolvers.js';

const long = { kind: 'query', cost: { requested: manyValues } } as const;

/** Queries that these keys send together, and which of them were executed, in this order. */
async function executed(keys: readonly string[], note: (place: number) => string) {
  const inTurn = createLongQueries();
  const request = new AsyncLocalStorage<number>();
  const found: string[] = [];
  const sent = keys.map((keyId, place) => {
    const work = async () => {
      found.push(note(request.getStore() ?? Number.NaN));
      await turnOfLoop();
    };
    return request.run(place, () => inTurn(long, { deadline: undefined, identity: { keyId } }, work));
  });
  await Promise.all(sent);
  return found;
}

test('what is counted or traced while one is executed is of its own request', async () => {
  expect(await executed(['a', 'b', 'c'], String)).toEqual(['0', '1', '2']);
});

test('a key with many does not keep another waiting for all of them', async () => {
  const keys = ['many', 'many', 'many', 'many', 'one'];
  expect(await executed(keys, (place) => keys[place] ?? '')).toEqual(['many', 'one', 'many', 'many', 'many']);
});
