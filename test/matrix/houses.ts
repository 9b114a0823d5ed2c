/** What is done to a gateway while its cells are tested. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { House } from './guard.js';
import type { OpenHouse } from './house.js';

/**
 * Runs `work` in the state that the house is named after; `work` gets the number of requests that it may send at once.
 */
export async function whileIn(kind: House, house: OpenHouse, work: (atOnce: number) => Promise<void>): Promise<void> {
  switch (kind) {
    case 'as ever':
    case 'small answers':
      return work(16);
    case 'spent key':
      await earlyInTheMinute();
      await create(house);
      return work(16);
    case 'crowded': {
      const unlock = await house.lock();
      const waiting = create(house);
      await sleep(100);
      await work(16);
      await unlock();
      await waiting;
      return;
    }
    case 'locked': {
      const unlock = await house.lock();
      await work(1000);
      await unlock();
      await sleep(300); // what was stopped has its turn now
    }
  }
}

/** A create of another record type, which the fingerprint includes before and after. */
function create({ gateway }: OpenHouse) {
  return gateway.rest('DELETE', '/api/assets/asset-repair/asset-repair_00000000000000000000000000');
}

/** In the next minute of the clock the requests of the key would be accepted again. */
async function earlyInTheMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 5_000) await sleep(left + 100);
}
