/**
 * Comparisons of texts that ignore case, with the same result on both databases. Which letters are equal is decided
 * here, because a database's knowledge of letters depends on its version and locale: two are equal if Unicode's simple
 * case folding makes them equal. Each letter of a value that equals a letter of the text in another case is replaced by
 * that letter (`translate`); then the database compares by code point.
 */

/** What to replace in a value, letter by letter, and the text as it reads then. */
export interface IgnoredCase {
  from: string;
  to: string;
  text: string;
}

export function ignoredCase(text: string): IgnoredCase {
  known ??= allCases();
  const cases = known;
  let [from, to, folded] = ['', '', ''];
  const seen = new Set<string>();
  for (const letter of text) {
    const [one = letter, ...others] = cases.get(letter) ?? [];
    folded += one;
    if (seen.has(one)) continue;
    seen.add(one);
    from += others.join('');
    to += one.repeat(others.length);
  }
  return { from, to, text: folded };
}

/** Replaces each letter of `from` by that at the same place in `to`, as PostgreSQL's function of this name does. */
export function translate(text: string, from: string, to: string): string {
  if (last?.from !== from || last.to !== to) {
    const replaced = [...to];
    last = { from, to, letters: new Map([...from].map((letter, place) => [letter, replaced[place] ?? ''])) };
  }
  const { letters } = last;
  let result = '';
  for (const letter of text) result += letters.get(letter) ?? letter;
  return result;
}

/** The last translation, because a statement translates all rows alike. */
let last: { from: string; to: string; letters: ReadonlyMap<string, string> } | undefined;

/**
 * A pattern of LIKE that ignores case, for Prisma, which passes it on with its wildcards around it. U+0000 occurs in no
 * text, so the adapters recognise the pattern by it: `sqlite-functions.ts` and `postgresql/postgresql.ts`.
 */
export const markedPattern = ({ from, to, text }: IgnoredCase): string => [mark, from, mark, to, mark, text].join('');

/** Reads a pattern that `markedPattern` has made, with the wildcards around it; undefined for any other. */
export function readMarked(pattern: string): IgnoredCase | undefined {
  const [start, from, to, end] = pattern.split(mark, 4);
  return from === undefined || to === undefined ? undefined : { from, to, text: `${start}${end}` };
}

const mark = '\u0000';

/** Made at the first use, which takes some 20 ms. */
let known: ReadonlyMap<string, readonly string[]> | undefined;

/** For each letter with several cases, all of them in the same order. */
function allCases(): ReadonlyMap<string, readonly string[]> {
  const cases = new Map<string, string[]>();
  const join = (one: string, other: string) => {
    const [first, second] = [cases.get(one) ?? [one], cases.get(other) ?? [other]];
    if (first === second || !isSame(one, other)) return;
    const joined = [...first, ...second];
    for (const letter of joined) cases.set(letter, joined);
  };
  for (let point = 0; point <= lastCased; point++) {
    if (point === 0xd800) point = 0xe000;
    const letter = String.fromCodePoint(point);
    for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
      if (other !== letter && other.length <= 2 && other.length === widthOf(other)) join(letter, other);
    }
  }
  for (const [one, other] of withoutSingleCase) join(one, other);
  return cases;
}

/** Whether simple case folding makes two letters one, as regular expressions that ignore case do it. */
const isSame = (one: string, other: string): boolean => /^(.)\1$/iu.test(one + other);

/** The UTF-16 units of the first character. */
const widthOf = (text: string): number => ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);

/** No letter after these has cases. */
const lastCased = 0x1ffff;

/** Letters that are the same in simple folding, while their upper case has several characters. */
const withoutSingleCase = [
  ['\u0390', '\u1fd3'],
  ['\u03b0', '\u1fe3'],
  ['\ufb05', '\ufb06'],
] as const;
