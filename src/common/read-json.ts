/**
 * Parses JSON that people wrote. V8 says where a text stops being JSON only on some versions of Node, and quotes the
 * text, which may hold a secret. @throws SyntaxError that names the place and what is expected there, and quotes nothing
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { at, expected } = breakIn(text);
    const lines = text.slice(0, at).split('\n');
    const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
    const where = at === text.length ? `it ends at ${place}, where` : `at ${place},`;
    throw new SyntaxError(`not valid JSON: ${where} ${expected} is expected`);
  }
}

/** A place in a text, and what is expected there. */
class Break {
  constructor(
    readonly at: number,
    readonly expected: string,
  ) {}
}

/** Finds the first character with which the text can no longer become JSON, or its end if more has to follow. */
function breakIn(text: string): Break {
  /** The brackets that have to close what is open. A list and not a recursion, for texts that only open them. */
  const closers: string[] = [];
  let state: 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'after a value' = 'value';
  for (let at = 0; ; ) {
    if (text.charCodeAt(at) <= space) at = endOf(spaces, text, at);
    const character = text[at];
    const closer = closers.at(-1);
    const mayClose = closer !== undefined && state !== 'value' && state !== 'name' && state !== 'colon';
    let end: number | Break = at + 1;
    if (mayClose && character === closer) {
      closers.pop();
      state = 'after a value';
    } else if (state === 'after a value') {
      if (closer === undefined) return new Break(at, 'the end');
      if (character !== ',') return new Break(at, `"," or "${closer}"`);
      state = closer === '}' ? 'name' : 'value';
    } else if (state === 'colon') {
      if (character !== ':') return new Break(at, '":"');
      state = 'value';
    } else if (state === 'name' || state === 'first name') {
      if (character !== '"') return new Break(at, `a name in double quotes${mayClose ? ' or "}"' : ''}`);
      end = stringEnd(text, at);
      state = 'colon';
    } else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']');
      state = character === '{' ? 'first name' : 'first value';
    } else {
      end = character === '"' ? stringEnd(text, at) : wordOrNumberEnd(text, at, mayClose);
      state = 'after a value';
    }
    if (end instanceof Break) return end;
    at = end;
  }
}

function wordOrNumberEnd(text: string, at: number, mayClose: boolean): number | Break {
  const begun = endOf(begunNumber, text, at);
  if (begun > at) return new Break(begun, 'a digit');
  const end = endOf(number, text, at);
  if (end > at) return end;
  const word = ['true', 'false', 'null'].find((each) => each[0] === text[at]);
  if (!word) return new Break(at, mayClose ? 'a value or "]"' : 'a value');
  const other = [...word].findIndex((letter, place) => text[at + place] !== letter);
  return other < 0 ? at + word.length : new Break(at + other, `"${word}"`);
}

/** In pieces of a thousand characters and escapes: a pattern for all of them would need memory for each. */
function stringEnd(text: string, start: number): number | Break {
  let at = start + 1;
  for (let end = at; ; at = end) {
    end = endOf(characters, text, at);
    if (end === at) break;
  }
  if (text[at] === '"') return at + 1;
  if (text[at] === undefined) return new Break(at, 'the closing double quote');
  return text[at] === '\\'
    ? new Break(endOf(begunEscape, text, at), 'the rest of an escape such as "\\n" or "\\u00e9"')
    : new Break(at, 'an escape such as "\\n" or "\\t", and no control character,');
}

/** Where what fits the pattern at this place ends; the place itself if nothing does. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const space = 0x20;
const spaces = /[ \t\r\n]*/y;
const characters = /(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){0,1000}/y;
const begunEscape = /\\(?:u[\da-fA-F]{0,3})?/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Up to where a digit has to follow and does not. */
const begunNumber = /(?:-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE](?:[+-]|(?![+-]))))(?!\d)/y;
