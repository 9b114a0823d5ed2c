/**
 * The first text, in the databases' bytewise order, behind every text that begins with `prefix`; undefined where none
 * is. So "begins with" is a range, which an index serves: `prefix <= text < afterPrefix(prefix)`.
 */
export function afterPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) ?? 0;
    if (last < lastPoint)
      return characters.join('') + String.fromCodePoint(last === beforeSurrogates ? afterSurrogates : last + 1);
  }
  return undefined;
}

const lastPoint = 0x10ffff;
/** Halves of surrogate pairs are no characters; texts never hold them alone. */
const beforeSurrogates = 0xd7ff;
const afterSurrogates = 0xe000;
