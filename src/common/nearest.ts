import leven from 'leven';

const withoutSpelling = (name: string): string => name.replaceAll('_', '').toLowerCase();

/**
 * The most similar candidate for a misspelt name, above all the same one in the other spelling, `consumedItems` for
 * `consumed_items`; undefined if none is similar enough.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const plain = withoutSpelling(name);
  const limit = Math.max(1, Math.floor(name.length * 0.4));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (candidate.length <= plain.length * 2 && withoutSpelling(candidate) === plain) return candidate;
    const distance = leven(name, candidate, { maxDistance: bestDistance });
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The end of a sentence about a name that is not known: what was meant, if one is similar enough. */
export function didYouMean(name: string, known: Iterable<string>): string {
  // Of what is longer the rest is not compared: it may be very long.
  const meant = nearest(name.slice(0, 100), known);
  return meant === undefined ? '' : `; did you mean \`${meant}\`?`;
}
