/**
 * The words of a text, as the search index holds them and as a search asks for them. They are made here and not by a
 * database, so that both find the same: without case, accents and compatibility forms (ß is ss, ﬁ is fi, ² is 2). A word is
 * a run of letters and digits; Chinese characters and Japanese syllables, which no spaces divide, are words of their own.
 */

/** The most different words of a record that are indexed, the characters of each text that are looked at, and those of a word. */
export const mostWords = 200;
const mostCharacters = 20_000;
export const longestWord = 64;

/** The different words of texts, in the order in which they come first, at most `mostWords`. */
export function wordsOf(texts: Iterable<string>, most = mostWords): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    if (text === '' || isDate.test(text)) continue;
    for (const [word] of folded(text.slice(0, mostCharacters)).matchAll(runs)) {
      words.add(word.length > longestWord ? [...word].slice(0, longestWord).join('') : word);
      if (words.size >= most) return [...words];
    }
  }
  return [...words];
}

/** Dates and times are found by conditions. */
const isDate = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/;

function folded(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  // Lower case makes ẞ an ß, of which upper case makes SS. Lower case again gives sigma two forms; one is kept.
  const lower = text.normalize('NFKD').replace(accents, '').toLowerCase();
  const plain = lower.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return plain.normalize('NFKD').replace(accents, '');
}

const isAscii = /^[\s!-~]*$/;

/**
 * Marks that change letters of alphabets, and those that choose the look of an emoji; those of other scripts are letters of
 * their own to their readers.
 */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u{e0100}-\u{e01ef}]/gu;

/** A mark that follows no letter begins no word. */
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?!\p{M})(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/gu;
