/** Brings a gateway into a state and keeps it there while its cells are tested. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayFixture } from './gateway-fixture.js';
import type { GatewayState } from './guard.js';

/** Runs `work` while the gateway is in the state; `work` gets the number of requests that it may send at once. */
export async function whileInState(
  state: GatewayState,
  fixture: GatewayFixture,
  work: (atOnce: number) => Promise<void>,
): Promise<void> {
  switch (state) {
    case 'normal':
    case 'small answer limit':
      return work(16);
    case 'rate limit reached':
      await untilNextMinuteIfNear();
      await deleteMissingRepair(fixture);
      return work(16);
    case 'all places taken': {
      const unlock = await fixture.lock();
      const waiting = deleteMissingRepair(fixture);
      await sleep(100);
      await work(16);
      await unlock();
      await waiting;
      return;
    }
    case 'tables locked': {
      const unlock = await fixture.lock();
      await work(1000);
      await unlock();
      await sleep(300); // the requests that timed out end now
    }
  }
}

/** Sends a write that changes nothing, because the record does not exist. */
function deleteMissingRepair({ gateway }: GatewayFixture) {
  return gateway.rest('DELETE', '/api/assets/asset-repair/asset-repair_00000000000000000000000000');
}

/** Waits for the next minute if it is near, because the key may send requests again from then on. */
async function untilNextMinuteIfNear(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 5_000) await sleep(left + 100);
}
