/** The memory of an answered request is released: a process that runs for months must not grow with each request. */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { callers } from '../../src/database/direct-access.js';
import type { OpenedDatabase } from '../../src/database/open-database.js';
import { createRepair, upTo } from '../graphql/asset-repairs.js';
import { startGateway } from '../support/gateway.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('also where its fields were resolved one after the other', async () => {
  const requests: WeakRef<object>[] = [];
  const altered = (real: OpenedDatabase): OpenedDatabase => {
    const read: OpenedDatabase['read'] = async (...request) => {
      const caller = callers.getStore();
      if (caller) requests.push(new WeakRef(caller));
      return (await real.read?.(...request)) ?? [];
    };
    return new Proxy(real, { get: (target, name) => (name === 'read' ? read : Reflect.get(target, name)) });
  };
  const gateway = await startGateway({ altered });
  onTestFinished(() => gateway.close());
  await createRepair(gateway);
  requests.splice(0);
  for (const _ of upTo(40)) {
    const { body } = await gateway.graphql('{ assetRepairs(first: 1) { nodes { history { complete } } } }');
    expect(body.data.assetRepairs.nodes).toEqual([{ history: { complete: true } }]);
  }
  expect(requests.length).toBeGreaterThanOrEqual(40);
  for (const _ of upTo(5)) {
    await turn();
    collectGarbage();
  }
  const kept = new Set(requests.flatMap((request) => request.deref() ?? []));
  // The connections may still hold their last requests.
  expect(kept.size).toBeLessThan(5);
});
