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
  const writing = written(value, limit);
  let step = writing.next();
  while (!step.done) step = writing.next();
  return step.value;
}

/** The same; now and then the event loop serves other requests. */
export async function jsonTextInTurns(value: unknown, limit: number): Promise<string | undefined> {
  const writing = written(value, limit);
  const turns = new Turns();
  let step = writing.next();
  while (!step.done) {
    const due = turns.due();
    if (due) await due;
    step = writing.next();
  }
  return step.value;
}

/** Yields whenever some characters are written. */
function* written(value: unknown, limit: number): Generator<undefined, string | undefined> {
  let [text, bytes, until] = ['', 0, atOnce];
  for (const piece of piecesOf(value, new Map())) {
    bytes += Buffer.byteLength(piece);
    if (bytes > limit) return undefined;
    text += piece;
    if (text.length < until) continue;
    yield;
    until = text.length + atOnce;
  }
  return text;
}

/** The JSON of a value behind `before`, in pieces of few values or of one string; `known` holds that of long strings. */
function* piecesOf(value: unknown, known: Map<string, string>, before = ''): Generator<string> {
  if (typeof value === 'string') {
    yield before;
    yield stringText(value, known);
  } else if (valuesIn(value, fewValues) <= fewValues) {
    yield before + (JSON.stringify(value) ?? 'null');
  } else if (Array.isArray(value)) {
    let sign = `${before}[`;
    for (const item of value) {
      yield* piecesOf(item, known, sign);
      sign = ',';
    }
    yield ']';
  } else {
    let sign = `${before}{`;
    for (const [name, member] of Object.entries(value ?? {})) {
      if (member === undefined) continue;
      yield* piecesOf(member, known, `${sign}${JSON.stringify(name)}:`);
      sign = ',';
    }
    yield sign === ',' ? '}' : `${sign}}`;
  }
}

function stringText(value: string, known: Map<string, string>): string {
  if (value.length < worthRemembering) return JSON.stringify(value);
  const text = known.get(value) ?? JSON.stringify(value);
  known.set(value, text);
  return text;
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
