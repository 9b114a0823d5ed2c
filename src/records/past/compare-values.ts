/** Less than zero if `one` comes first, zero if the two are equal. Texts are compared by their bytes, as both databases do. */
export function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') {
    return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  const [first, second] = [numberIn(one), numberIn(other)];
  return first === second ? 0 : first - second;
}

/** Instants by their milliseconds; false comes before true. */
const numberIn = (value: unknown): number => (value instanceof Date ? value.getTime() : Number(value));
