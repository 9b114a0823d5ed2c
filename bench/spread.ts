/** Several figures of the same thing: the one in the middle, and the outermost. */
export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** Undefined where there is no figure. */
export function spreadOf(figures: readonly (number | undefined)[]): Spread | undefined {
  const sorted = figures.filter((figure) => figure !== undefined).sort((one, other) => one - other);
  const [least] = sorted;
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return undefined;
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? least, sorted[sorted.length >> 1] ?? least];
  return { median: (low + high) / 2, least, most };
}
