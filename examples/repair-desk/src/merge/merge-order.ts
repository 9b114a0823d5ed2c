import type { Ask } from './merge.js';

/**
 * The order of all keys of both sides. If only one side has moved keys, its order holds; if both have, the user is asked.
 * What one side has added stays behind the key that it was added behind; where both have added, theirs comes first.
 */
export function mergeOrder(
  base: string[],
  mine: string[],
  theirs: string[],
  { nameOf, ask }: { nameOf: (key: string) => string; ask: Ask },
): string[] {
  const isCommon = (key: string) => [base, mine, theirs].every((keys) => keys.includes(key));
  const [before, here, there] = [base.filter(isCommon), mine.filter(isCommon), theirs.filter(isCommon)];
  const words = (keys: string[]) => keys.map(nameOf).join(', ');

  if (isSameOrder(here, before) || isSameOrder(here, there)) return insertAdded(theirs, mine, base);
  const isMine = isSameOrder(there, before) || ask('order', 'Order of the lines', words(here), words(there)) === 'mine';
  return isMine ? insertAdded(mine, theirs, base) : insertAdded(theirs, mine, base);
}

/** `leading`, and in between what only `others` have. */
function insertAdded(leading: string[], others: string[], known: string[]): string[] {
  const order = [...leading];
  let behind = -1;
  for (const key of others) {
    const place = order.indexOf(key);
    if (place >= 0) {
      behind = place;
      continue;
    }
    while (behind + 1 < order.length && !known.includes(order[behind + 1] ?? '')) behind++;
    order.splice(++behind, 0, key);
  }
  return order;
}

export function isSameOrder(ones: string[], others: string[]): boolean {
  return ones.length === others.length && ones.every((key, place) => key === others[place]);
}

export function keysOf(lines: { key: string }[]): string[] {
  return lines.map(({ key }) => key);
}
