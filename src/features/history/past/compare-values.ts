/** Less than zero if `one` comes first, zero if the two are equal. Texts are compared by code points, as both databases do. */
export function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') return one === other ? 0 : compareTexts(one, other);
  const [first, second] = [numberIn(one), numberIn(other)];
  return first === second ? 0 : first - second;
}

function compareTexts(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let place = 0; place < shorter; place++) {
    const [first, second] = [one.charCodeAt(place), other.charCodeAt(place)];
    if (first !== second) return placeOf(first) - placeOf(second);
  }
  return one.length - other.length;
}

/** Surrogates encode characters that sort after all characters of one unit. */
const placeOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Instants by their milliseconds; false comes before true. */
const numberIn = (value: unknown): number => (value instanceof Date ? value.getTime() : Number(value));
