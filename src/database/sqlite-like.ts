/**
 * LIKE as PostgreSQL has it, for SQLite: upper and lower case differ, and a backslash takes a wildcard's meaning away.
 * SQLite's own folds ASCII letters and knows no escape unless told in the statement, which Prisma does not do.
 */
import { finderOf } from './find-text.js';

export function like(pattern: unknown, text: unknown): 0 | 1 | null {
  if (pattern === null || text === null) return null;
  return matcherOf(String(pattern))(String(text)) ? 1 : 0;
}

type Matcher = (text: string) => boolean;

/** A statement compares every row with one pattern, so the last one is kept. */
let last: { pattern: string; matches: Matcher } | undefined;

function matcherOf(pattern: string): Matcher {
  if (last?.pattern !== pattern) last = { pattern, matches: compile(pattern) };
  return last.matches;
}

/**
 * `%text%`, `text%`, `%text` and `text`, all that filters ask for, are plain comparisons, for which texts may be of any
 * length. Any other pattern becomes an expression.
 */
function compile(pattern: string): Matcher {
  const tokens = tokensOf(pattern);
  const isOpen = (token: Token | undefined) => token?.wildcard === '%';
  const start = isOpen(tokens[0]) ? 1 : 0;
  const end = tokens.length > 1 && isOpen(tokens.at(-1)) ? tokens.length - 1 : tokens.length;
  const inner = tokens.slice(start, end);
  if (inner.some(({ wildcard }) => wildcard)) return expressionOf(tokens);

  const literal = inner.map(({ text }) => text).join('');
  if (start === 0) return end < tokens.length ? (text) => text.startsWith(literal) : (text) => text === literal;
  return end < tokens.length ? finderOf(literal) : (text) => text.endsWith(literal);
}

/** A run of plain characters, or a wildcard. */
interface Token {
  text: string;
  wildcard?: '%' | '_';
}

function tokensOf(pattern: string): Token[] {
  return [...pattern.matchAll(/\\([\s\S])|([%_])|[^\\%_]+|\\/g)].map(([text, escaped, wildcard]) => {
    if (wildcard === '%' || wildcard === '_') return { text, wildcard };
    return { text: escaped ?? text };
  });
}

function expressionOf(tokens: Token[]): Matcher {
  const source = tokens.map(({ text, wildcard }) => {
    if (wildcard) return wildcard === '%' ? '.*' : '.';
    return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  });
  const expression = new RegExp(`^${source.join('')}$`, 'su');
  return (text) => expression.test(text);
}
