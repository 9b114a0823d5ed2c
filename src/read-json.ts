/**
 * Parses JSON that people wrote. V8 says where a text stops being JSON only on some versions of Node, and quotes the
 * text, which may hold a secret. @throws SyntaxError that names the place and what is expected there, and quotes nothing
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(`not valid JSON: ${described(text, breakIn(text))}`);
  }
}

/** A place in a text, and what is expected there; undefined behind something whole. */
interface Break {
  at: number;
  expected?: string | undefined;
}

/** Finds the first character with which the text can no longer become JSON, or its end if more has to follow. */
function breakIn(text: string): Break {
  /** The brackets that have to close what is open. A list and not a recursion, for texts that only open them. */
  const closers: string[] = [];
  let state: 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'after a value' = 'value';
  let at = 0;
  for (;;) {
    while (spaces.has(text.charCodeAt(at))) at++;
    const character = text[at];
    const closer = closers.at(-1);
    const mayClose = closer !== undefined && state !== 'value' && state !== 'name' && state !== 'colon';
    if (mayClose && character === closer) {
      closers.pop();
      state = 'after a value';
      at++;
    } else if (state === 'after a value') {
      if (closer === undefined) return { at, expected: 'the end' };
      if (character !== ',') return { at, expected: `"," or "${closer}"` };
      state = closer === '}' ? 'name' : 'value';
      at++;
    } else if (state === 'colon') {
      if (character !== ':') return { at, expected: '":"' };
      state = 'value';
      at++;
    } else if (state === 'name' || state === 'first name') {
      if (character !== '"') return { at, expected: `a name in double quotes${mayClose ? ' or "}"' : ''}` };
      const name = stringFrom(text, at);
      if (name.expected) return name;
      state = 'colon';
      at = name.at;
    } else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']');
      state = character === '{' ? 'first name' : 'first value';
      at++;
    } else {
      const value = character === '"' ? stringFrom(text, at) : wordOrNumberFrom(text, at);
      if (value.expected) return value.at === at && mayClose ? { at, expected: `${value.expected} or "]"` } : value;
      state = 'after a value';
      at = value.at;
    }
  }
}

function wordOrNumberFrom(text: string, start: number): Break {
  const word = ['true', 'false', 'null'].find(([first]) => first === text[start]);
  if (word) {
    let at = start;
    while (at - start < word.length && text[at] === word[at - start]) at++;
    return { at, expected: at - start < word.length ? `"${word}"` : undefined };
  }
  const at = endOf(numberSoFar, text, start);
  if (at === start) return { at, expected: 'a value' };
  return { at, expected: '.eE+-'.includes(text[at - 1] ?? '') ? 'a digit' : undefined };
}

function stringFrom(text: string, start: number): Break {
  let at = start + 1;
  for (;;) {
    at = endOf(plainCharacters, text, at);
    if (text[at] === '"') return { at: at + 1 };
    if (at === text.length) return { at, expected: 'the closing double quote' };
    if (text[at] !== '\\') return { at, expected: 'an escape such as "\\n" or "\\t", and no control character,' };
    const end = endOf(escapeSoFar, text, at);
    const isWhole = end - at === (text[at + 1] === 'u' ? 6 : 2);
    if (!isWhole) return { at: end, expected: 'the rest of an escape such as "\\n" or "\\u00e9"' };
    at = end;
  }
}

const spaces: ReadonlySet<number> = new Set([' ', '\t', '\n', '\r'].map((space) => space.charCodeAt(0)));

/** These match everything with which such a part may begin, so that they end where it breaks; also nothing. */
const plainCharacters = /[ !#-[\]-\uffff]*/y;
const escapeSoFar = /\\(?:["\\/bfnrt]|u[\da-fA-F]{0,4})?/y;
const numberSoFar = /-?(?:0|[1-9]\d*)?(?:(?<=\d)\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?/y;

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

function described(text: string, { at, expected }: Break): string {
  let line = 1;
  let begin = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', begin)) {
    line++;
    begin = next + 1;
  }
  const place = `line ${line}, column ${at - begin + 1}`;
  return at === text.length
    ? `it ends at ${place}, where ${expected} is expected`
    : `at ${place}, ${expected} is expected`;
}
