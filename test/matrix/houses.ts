/** What is done to a gateway while its cells are asked. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { House } from './guard.js';
import type { OpenHouse } from './house.js';

/** Does the work, which is told how many requests it may make at once, in the state that the house is named after. */
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

/** A create of another record type, which the footprint sees before and after. */
function create({ gateway }: OpenHouse) {
  return gateway.rest('DELETE', '/api/assets/asset-repair/asset-repair_00000000000000000000000000');
}

/** The next minute of the clock would let the key's requests through again. */
async function earlyInTheMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 5_000) await sleep(left + 100);
}
