/**
 * LIKE with PostgreSQL's rules, for SQLite: case-sensitive, with backslash as the escape character. SQLite's own LIKE
 * ignores the case of ASCII letters and has no escape character unless the statement names one, which Prisma does not
 * do.
 */
import { finderOf } from './find-text.js';

export function like(pattern: unknown, text: unknown): 0 | 1 | null {
  if (pattern === null || text === null) return null;
  return matcherOf(String(pattern))(String(text)) ? 1 : 0;
}

type Matcher = (text: string) => boolean;

/** The last pattern, because a statement compares all rows with the same one. */
let last: { pattern: string; matches: Matcher } | undefined;

function matcherOf(pattern: string): Matcher {
  if (last?.pattern !== pattern) last = { pattern, matches: compile(pattern) };
  return last.matches;
}

/**
 * The patterns of the API's filters, `%text%`, `text%`, `%text` and `text`, become plain comparisons, which take linear
 * time for texts of any length. Any other pattern becomes a regular expression.
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

/** A run of literal characters, or a wildcard. */
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
