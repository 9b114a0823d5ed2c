/**
 * The words of a text, as the search index holds them and as a search asks for them. They are made here and not by a
 * database, so that both find the same: without case, accents and compatibility forms (ß is ss, ﬁ is fi, ² is 2). A word is
 * a run of letters and digits. A run in a script without spaces holds several words, and nothing says where they begin: the
 * index has the rest of the run from each of its characters on, so a search finds the beginning of any of these rests.
 */

/**
 * The most different words of a record that are indexed, of which rests of runs count half, the characters of each text that
 * are looked at, and those of a word.
 */
export const mostWords = 200;
const mostCharacters = 20_000;
export const longestWord = 64;

/**
 * The number of these rules. Raise it with a change of the words of a text; an index of older ones is made anew for types that
 * have a word from `reformedFrom` on: here Thai is the first script that is divided differently, in the order of UTF-8.
 */
export const formOfWords = 2;
export const reformedFrom = 'ก';

/** The different words of a text, in the order in which they come first, at most `most`. */
export function wordsOf(text: string, most: number): string[] {
  const words = new Set<string>();
  for (const { run } of runsOf(text)) {
    words.add(shortened(run));
    if (words.size >= most) break;
  }
  return [...words];
}

/** The different words of texts in the index, in the order in which they come first, at most `mostWords`. */
export function indexedWords(texts: Iterable<string>): string[] {
  const words = new Set<string>();
  let halves = 2 * mostWords;
  for (const text of texts) {
    for (const { run, isSpaceless } of runsOf(text)) {
      const word = shortened(run);
      if (!words.has(word)) halves -= 2;
      words.add(word);
      for (const { index } of isSpaceless ? run.matchAll(beginnings) : []) {
        if (halves <= 0) return [...words];
        if (index === 0) continue;
        // Also one that is known counts, or a long text of few characters would cost much.
        halves -= 1;
        words.add(shortened(run.slice(index)) + restMark);
      }
      if (halves <= 0) return [...words];
    }
  }
  return [...words];
}

/** Ends the rest of a run in the index, so that it is no whole word. No word holds it. */
const restMark = '-';

function* runsOf(text: string): Generator<{ run: string; isSpaceless?: boolean }> {
  if (text === '' || isDate.test(text)) return;
  const looked = text.slice(0, mostCharacters);
  if (isAscii.test(looked)) {
    for (const [run] of looked.toLowerCase().matchAll(asciiRuns)) yield { run };
    return;
  }
  for (const [found] of folded(looked).matchAll(letters)) {
    for (const [place, run] of found.split(spaceless).entries()) {
      // A split by a group has what it found at each second place.
      if (run !== '') yield { run, isSpaceless: place % 2 === 1 };
    }
  }
}

function shortened(word: string): string {
  if (word.length <= longestWord) return word;
  // A character is one or two units of a text.
  return [...word.slice(0, 2 * longestWord)].slice(0, longestWord).join('');
}

/** Dates and times are found by conditions. */
const isDate = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/;

function folded(text: string): string {
  // Lower case makes ẞ an ß, of which upper case makes SS. Lower case again gives sigma two forms; one is kept.
  const lower = text.normalize('NFKD').replace(accents, '').toLowerCase();
  const plain = lower.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return plain.normalize('NFKD').replace(accents, '').replaceAll(breaks, '');
}

/** Most texts: the general expressions take several times as long. */
const isAscii = /^[\s!-~]*$/;
const asciiRuns = /[a-z\d]+/g;

/**
 * Marks that change letters of alphabets, and those that choose the look of an emoji; those of other scripts are letters of
 * their own to their readers.
 */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u{e0100}-\u{e01ef}]/gu;

/** A mark that follows no letter begins no word. */
const letters = /(?!\p{M})[\p{L}\p{N}\p{M}]+/gu;

/**
 * Letters of scripts that are written without spaces, with marks of Japanese that Unicode counts to no script: of closed
 * lines, of voice and of length.
 */
const spacelessLetter =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}〆ー\\u3099\\u309a]';
const spaceless = new RegExp(`(${spacelessLetter}+)`, 'u');

/** What invisibly says within such a run where a line may break. Elsewhere it divides words, as it always has. */
const breaks = new RegExp(`(?<=${spacelessLetter})[\\u00ad\\u200b\\u2060]+(?=${spacelessLetter})`, 'gu');

const beginnings = /\P{M}/gu;
