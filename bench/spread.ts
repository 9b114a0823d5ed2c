/** The median, minimum and maximum of several figures. */
export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** Undefined if there are no figures. */
export function spreadOf(figures: readonly (number | undefined)[]): Spread | undefined {
  const sorted = figures.filter((figure) => figure !== undefined).sort((one, other) => one - other);
  const [least] = sorted;
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return undefined;
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? least, sorted[sorted.length >> 1] ?? least];
  return { median: (low + high) / 2, least, most };
}
