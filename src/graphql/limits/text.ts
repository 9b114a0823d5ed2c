import { Lexer, Source, type Token, TokenKind } from 'graphql';
import { errors } from '../../model/errors/errors.js';
import { deepestBrackets, longestName, mostTextLines, mostTokens } from './sizes.js';

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
