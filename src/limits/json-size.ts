/** Measures a value as JSON without building its text, because one string may occur in it thousands of times. */

/** Shorter strings are measured faster than they are looked up. */
const worthRemembering = 256;

/**
 * The bytes of `JSON.stringify(value)` in UTF-8. Above `limit` it stops counting, so the result is then only known to
 * exceed `limit`.
 */
export function jsonSize(value: unknown, limit: number): number {
  const sizes = new Map<string, number>();
  let size = 0;
  const add = (part: unknown): void => {
    if (size > limit) return;
    if (typeof part === 'string') size += textSize(part, sizes);
    else if (part === null || typeof part === 'boolean' || typeof part === 'number') size += String(part).length;
    else if (Array.isArray(part)) {
      size += 2 + Math.max(0, part.length - 1);
      for (const item of part) add(item);
    } else if (typeof part === 'object') {
      const names = Object.keys(part);
      size += 2 + Math.max(0, names.length - 1);
      for (const [name, inner] of Object.entries(part)) {
        size += textSize(name, sizes) + 1;
        add(inner);
      }
    }
  };
  add(value);
  return size;
}

function textSize(text: string, sizes: Map<string, number>): number {
  if (text.length < worthRemembering) return sizeOf(text);
  const size = sizes.get(text) ?? sizeOf(text);
  sizes.set(text, size);
  return size;
}

const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));
