/**
 * The first text, in bytewise order, after all texts that begin with `prefix`; undefined if there is none. "Begins
 * with" then becomes a range that an index supports: `prefix <= text < afterPrefix(prefix)`.
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
/** The range of surrogates, which are no characters of their own. */
const beforeSurrogates = 0xd7ff;
const afterSurrogates = 0xe000;
