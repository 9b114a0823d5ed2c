/** What is wrong with a text, and what to do. It never quotes the text: it may hold a key. */
export interface TranslationProblem {
  problem: string;
}

/**
 * The words of the first command of a text, as a POSIX shell and bash would see them. Variables stay as they are. Each
 * character is looked at once. Only commands that need no shell are understood: what it would have to run is a problem.
 */
export function shellWords(text: string): string[] | TranslationProblem {
  const words: string[] = [];
  let word: string | undefined;
  /** Whether the next word is where output goes, such as `/dev/null`. */
  let isTarget = false;
  let at = 0;
  const add = (part: string) => {
    word = (word ?? '') + part;
  };
  const endWord = () => {
    if (word === undefined) return;
    if (!isTarget) words.push(word);
    word = undefined;
    isTarget = false;
  };
  if (/\s\^"/.test(text))
    return { problem: 'It is written for the command prompt of Windows; copy it as curl for bash.' };
  while (at < text.length) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === '\\') {
      if (next === '\r' && text.charAt(at + 2) === '\n') at++;
      else if (next !== '\n') add(next || char);
      at += 2;
    } else if (char === "'" || (char === '$' && next === "'")) {
      const isEscaped = char === '$';
      const start = at + (isEscaped ? 2 : 1);
      const end = isEscaped ? endOf("'", text, start) : text.indexOf("'", start);
      if (end < 0) return { problem: 'A quote is not closed.' };
      const quoted = text.slice(start, end);
      add(isEscaped ? unescaped(quoted) : quoted);
      at = end + 1;
    } else if (char === '"') {
      const end = endOf('"', text, at + 1);
      if (end < 0) return { problem: 'A quote is not closed.' };
      const quoted = text.slice(at + 1, end);
      if (/`|\$\(/.test(quoted.replace(/\\./gs, ''))) return substitution;
      add(quoted.replace(/\\(["\\$`]|\r?\n)/g, (_, escaped: string) => (escaped.endsWith('\n') ? '' : escaped)));
      at = end + 1;
    } else if (char === '`' || (char === '$' && next === '(')) {
      return substitution;
    } else if (/[ \t\r]/.test(char)) {
      endWord();
      at++;
    } else if (char === '&' && word !== undefined && /[^\s&>]/.test(next)) {
      return {
        problem: 'It has an & outside of quotes, at which a shell ends the command; put the address into quotes.',
      };
    } else if (char === '>' || (char === '&' && next === '>')) {
      // Digits before it say which output goes there: `2>/dev/null`, `2>&1`.
      if (char === '>' && /^\d+$/.test(word ?? '')) word = undefined;
      endWord();
      isTarget = true;
      at += /[>|&]/.test(next) ? 2 : 1;
    } else if (/[\n|;&()<]/.test(char)) {
      endWord();
      if (char === '<') return { problem: 'It reads from a file; put the content into the line.' };
      if (words.length > 0) return words;
      at++;
    } else if (char === '#' && word === undefined) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else {
      add(char);
      at++;
    }
  }
  endWord();
  return words;
}

const substitution: TranslationProblem = {
  problem: 'It runs another command in `…` or $(…); put in what that prints.',
};

/** Where a quote ends within which a backslash takes the meaning of the next character; negative where it does not. */
function endOf(quote: string, text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === quote) return at;
  }
  return -1;
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b' };

/** What `$'…'` means in bash, as browsers write copied requests. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))/gs,
    (whole, x?: string, u?: string, long?: string, octal?: string, char = '') => {
      const hex = x ?? u ?? long;
      const code =
        hex === undefined ? (octal === undefined ? undefined : Number.parseInt(octal, 8)) : Number.parseInt(hex, 16);
      if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      return escapes[char] ?? char;
    },
  );
