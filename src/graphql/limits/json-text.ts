/**
 * Writes JSON piece by piece, and counts its bytes in UTF-8 meanwhile: one string may occur in a value thousands of times,
 * so a text that is too large is never complete.
 */

import { Lexer, Source, type Token, TokenKind } from 'graphql';
import { Turns } from '../../database/turns.js';
import { errors } from '../../model/errors/errors.js';
import { deepestBrackets, longestName, mostTextLines, mostTokens } from './sizes.js';

/** Shorter strings are written faster than they are looked up. */
const worthRemembering = 256;

/** Characters that are written at once. They take less than a millisecond. */
const atOnce = 128 * 1024;

/** Values in an object that is written at once, because that is ten times as fast. */
const fewValues = 64;

/** The same as `JSON.stringify(value)`; undefined if it has more than `limit` bytes. */
export function jsonText(value: unknown, limit: number): string | undefined {
  const writer = new JsonWriter(value, limit);
  while (writer.writeMore());
  return writer.text;
}

/** The same; now and then the event loop serves other requests. */
export async function jsonTextInTurns(value: unknown, limit: number): Promise<string | undefined> {
  const writer = new JsonWriter(value, limit);
  const turns = new Turns();
  while (writer.writeMore()) {
    const due = turns.due();
    if (due) await due;
  }
  return writer.text;
}

/** An array or object of which a part is written. */
interface Begun {
  /** The names in an object; undefined for an array. */
  names: readonly string[] | undefined;
  values: readonly unknown[];
  /** How many of its values are written. */
  written: number;
}

class JsonWriter {
  readonly #begun: Begun[] = [];
  /** The JSON of long strings. */
  readonly #known = new Map<string, string>();
  #text = '';
  #bytes = 0;

  constructor(
    value: unknown,
    private readonly limit: number,
  ) {
    this.#value(value);
  }

  /** Undefined if it is larger than the limit. */
  get text(): string | undefined {
    return this.#bytes > this.limit ? undefined : this.#text;
  }

  /** Writes some characters. Returns false when all is written, or the limit is passed. */
  writeMore(): boolean {
    const until = this.#text.length + atOnce;
    while (this.#text.length < until && this.#bytes <= this.limit) {
      const begun = this.#begun.at(-1);
      if (!begun) return false;
      if (begun.written === begun.values.length) {
        this.#add(begun.names ? '}' : ']');
        this.#begun.pop();
      } else {
        this.#next(begun);
      }
    }
    return this.#bytes <= this.limit;
  }

  #next(begun: Begun): void {
    const place = begun.written++;
    const name = begun.names?.[place];
    this.#add(`${place > 0 ? ',' : ''}${name === undefined ? '' : `${JSON.stringify(name)}:`}`);
    this.#value(begun.values[place]);
  }

  #value(value: unknown): void {
    if (typeof value === 'string') return this.#add(this.#string(value));
    if (valuesIn(value, fewValues) <= fewValues) return this.#add(JSON.stringify(value) ?? 'null');
    if (Array.isArray(value)) {
      this.#begun.push({ names: undefined, values: value, written: 0 });
      return this.#add('[');
    }
    const members = Object.entries(value ?? {}).filter(([, member]) => member !== undefined);
    const names = members.map(([name]) => name);
    this.#begun.push({ names, values: members.map(([, member]) => member), written: 0 });
    this.#add('{');
  }

  #string(value: string): string {
    if (value.length < worthRemembering) return JSON.stringify(value);
    const text = this.#known.get(value) ?? JSON.stringify(value);
    this.#known.set(value, text);
    return text;
  }

  #add(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes <= this.limit) this.#text += text;
  }
}

/** The number of values in a value, where a long string counts as many; above `most` it stops counting. */
function valuesIn(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length < worthRemembering ? 1 : most + 1;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return 1;
  let count = 1;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    count += valuesIn(inner, most - count);
    if (count > most) return count;
  }
  return count;
}

/**
 * Refuses a text that would overflow GraphQL's parser or keep it busy for long. Reads tokens only up to the limits, and
 * leaves syntax errors to the parser. @throws QUERY_TOO_COMPLEX
 */
export function refuseLargeText(text: string): void {
  if (linesOf(text) > mostTextLines) throw errors.queryTooComplex('lines', mostTextLines);
  const lexer = new Lexer(new Source(text));
  let depth = 0;
  for (let tokens = 0; ; tokens++) {
    if (tokens > mostTokens) throw errors.queryTooComplex('tokens', mostTokens);
    const token = nextToken(lexer);
    if (token === undefined || token.kind === TokenKind.EOF) return;
    const { kind } = token;
    if (kind === TokenKind.NAME && token.end - token.start > longestName)
      throw errors.queryTooComplex('name', longestName);
    if (opening.has(kind)) depth++;
    else if (closing.has(kind)) depth--;
    if (depth > deepestBrackets) throw errors.queryTooComplex('brackets', deepestBrackets);
  }
}

function linesOf(text: string): number {
  let lines = 1;
  for (const lineEnd of ['\n', '\r']) {
    for (let at = text.indexOf(lineEnd); at >= 0; at = text.indexOf(lineEnd, at + 1)) lines++;
  }
  return lines;
}

/** Undefined where the text has a syntax error. */
function nextToken(lexer: Lexer): Token | undefined {
  try {
    return lexer.advance();
  } catch {
    return undefined;
  }
}

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);
