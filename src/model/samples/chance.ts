/** Chance that can be repeated: the same seed, the same choices. */

export interface Chance {
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** A whole number from 0 up to `most`. */
  upTo(most: number): number;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    chance: (probability) => random() < probability,
    pick: (items) => {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
    upTo: (most) => Math.floor(random() * (most + 1)),
  };
}
