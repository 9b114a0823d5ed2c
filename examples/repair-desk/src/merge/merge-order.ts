import type { Asker } from './question.js';

/**
 * The order of all keys of both sides. If only one side has moved keys, its order holds; if both have, the user is asked.
 * What one side has added stays behind the key that it was added behind; where both have added, theirs comes first.
 */
export function mergeOrder(
  base: string[],
  mine: string[],
  theirs: string[],
  { nameOf, asker }: { nameOf: (key: string) => string; asker: Asker },
): string[] {
  const isCommon = inAll(base, mine, theirs);
  const [before, here, there] = [base, mine, theirs].map((keys) => keys.filter(isCommon));
  const words = (keys: string[] = []) => keys.map(nameOf).join(', ');

  const lead = isSame(here, before) || isSame(here, there) ? 'theirs' : isSame(there, before) ? 'mine' : undefined;
  const chosen = lead ?? asker.ask('order', 'Order of the lines', words(here), words(there));
  const known = new Set(base);
  return chosen === 'mine' ? insertAdded(mine, theirs, known) : insertAdded(theirs, mine, known);
}

/** `leading`, and in between what only `others` have. */
function insertAdded(leading: string[], others: string[], known: ReadonlySet<string>): string[] {
  const order = [...leading];
  let behind = -1;
  for (const key of others) {
    const place = order.indexOf(key);
    if (place >= 0) {
      behind = place;
      continue;
    }
    while (behind + 1 < order.length && !known.has(order[behind + 1] ?? '')) behind++;
    order.splice(++behind, 0, key);
  }
  return order;
}

function inAll(...lists: string[][]): (key: string) => boolean {
  const sets = lists.map((keys) => new Set(keys));
  return (key) => sets.every((set) => set.has(key));
}

function isSame(ones: string[] = [], others: string[] = []): boolean {
  return ones.length === others.length && ones.every((key, place) => key === others[place]);
}
