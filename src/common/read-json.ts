/**
 * Parses JSON that people wrote. V8 says where a text stops being JSON only on some versions of Node, and quotes the
 * text, which may hold a secret. @throws SyntaxError that names the place and what is expected there, and quotes nothing
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw breakIn(text);
  }
}

/**
 * Finds the first character with which the text can no longer become JSON, or its end if more has to follow. It compares
 * bytes: regular expressions for each part, and texts of one character, take several times as long.
 */
function breakIn(text: string): SyntaxError {
  /** The brackets that have to close what is open. A list and not a recursion, for texts that only open them. */
  const closers: number[] = [];
  let state: 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'after a value' = 'value';
  const bytes = Buffer.from(text);
  let at = 0;
  let line = 1;
  let begin = 0;
  try {
    for (;;) {
      for (; isSpace(bytes[at]); at++) {
        if (bytes[at] !== newline) continue;
        line++;
        begin = at + 1;
      }
      const byte = bytes[at];
      const closer = closers.at(-1);
      const mayClose = closer !== undefined && state !== 'value' && state !== 'name' && state !== 'colon';
      if (mayClose && byte === closer) {
        closers.pop();
        state = 'after a value';
        at++;
      } else if (state === 'after a value') {
        if (closer === undefined) throw new Break(at, 'the end');
        if (byte !== comma) throw new Break(at, `"," or "${String.fromCharCode(closer)}"`);
        state = closer === closeBrace ? 'name' : 'value';
        at++;
      } else if (state === 'colon') {
        if (byte !== colon) throw new Break(at, '":"');
        state = 'value';
        at++;
      } else if (state === 'name' || state === 'first name') {
        if (byte !== quote) throw new Break(at, `a name in double quotes${mayClose ? ' or "}"' : ''}`);
        at = stringEnd(bytes, at);
        state = 'colon';
      } else if (byte === openBrace || byte === openBracket) {
        closers.push(byte === openBrace ? closeBrace : closeBracket);
        state = byte === openBrace ? 'first name' : 'first value';
        at++;
      } else {
        at = byte === quote ? stringEnd(bytes, at) : wordOrNumberEnd(bytes, at, mayClose);
        state = 'after a value';
      }
    }
  } catch (error) {
    if (!(error instanceof Break)) throw error;
    const place = `line ${line}, column ${bytes.toString('utf8', begin, error.at).length + 1}`;
    const where = error.at === bytes.length ? `it ends at ${place}, where` : `at ${place},`;
    return new SyntaxError(`not valid JSON: ${where} ${error.expected} is expected`);
  }
}

/** A place in a text, and what is expected there. */
class Break {
  constructor(
    readonly at: number,
    readonly expected: string,
  ) {}
}

const words: ReadonlyMap<number | undefined, string> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]),
);

function wordOrNumberEnd(bytes: Buffer, start: number, mayClose: boolean): number {
  let code = bytes[start];
  if (isDigit(code) || code === minus) return numberEnd(bytes, start);
  const word = words.get(bytes[start]);
  if (!word) throw new Break(start, mayClose ? 'a value or "]"' : 'a value');
  for (let index = 1; index < word.length; index++) {
    code = bytes[start + index];
    if (code !== word.charCodeAt(index)) throw new Break(start + index, `"${word}"`);
  }
  return start + word.length;
}

function numberEnd(bytes: Buffer, start: number): number {
  let at = bytes[start] === minus ? start + 1 : start;
  at = bytes[at] === zero ? at + 1 : digitsEnd(bytes, at);
  if (bytes[at] === dot) at = digitsEnd(bytes, at + 1);
  if (((bytes[at] ?? 0) | lowerCase) !== letterE) return at;
  const sign = bytes[at + 1];
  return digitsEnd(bytes, sign === plus || sign === minus ? at + 2 : at + 1);
}

function digitsEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  if (at === start) throw new Break(at, 'a digit');
  return at;
}

function stringEnd(bytes: Buffer, start: number): number {
  for (let at = start + 1; ; at++) {
    const code = bytes[at];
    if (code === quote) return at + 1;
    if (code === backslash) at = escapeEnd(bytes, at) - 1;
    else if (code === undefined) throw new Break(at, 'the closing double quote');
    else if (code < space) throw new Break(at, 'an escape such as "\\n" or "\\t", and no control character,');
  }
}

function escapeEnd(bytes: Buffer, start: number): number {
  let at = start + 1;
  let isRight = escaped.has(bytes[at]);
  if (bytes[at] === letterU) {
    do isRight = isHexDigit(bytes[++at]);
    while (isRight && at < start + 5);
  }
  if (!isRight) throw new Break(at, 'the rest of an escape such as "\\n" or "\\u00e9"');
  return at + 1;
}

const quote = 0x22;
const backslash = 0x5c;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const letterE = 0x65;
const letterU = 0x75;
const space = 0x20;
const newline = 0x0a;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** The bit that makes a letter lower case. */
const lowerCase = 0x20;
/** What may follow a backslash, but for `u`. */
const escaped: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'));

type Byte = number | undefined;
const isSpace = (byte: Byte): boolean => byte === space || byte === newline || byte === 0x0d || byte === 0x09;
const isDigit = (byte: Byte = 0): boolean => byte >= zero && byte <= 0x39;
const isHexDigit = (byte: Byte = 0): boolean =>
  isDigit(byte) || ((byte | lowerCase) >= 0x61 && (byte | lowerCase) <= 0x66);
