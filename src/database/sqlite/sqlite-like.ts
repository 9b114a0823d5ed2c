/**
 * LIKE with PostgreSQL's rules, for SQLite: case-sensitive, with backslash as the escape character. SQLite's own LIKE
 * ignores the case of ASCII letters and has no escape character unless the statement names one, which Prisma does not
 * do.
 */
import { type IgnoredCase, readMarked, translate } from '../ignored-case.js';
import { finderOf } from './text-finder.js';

export function like(pattern: unknown, text: unknown): 0 | 1 | null {
  if (pattern === null || text === null) return null;
  return matcherOf(String(pattern))(String(text)) ? 1 : 0;
}

type Matcher = (text: string) => boolean;

/** The last pattern, because a statement compares all rows with the same one. */
let last: { pattern: string; matches: Matcher } | undefined;

function matcherOf(pattern: string): Matcher {
  if (last?.pattern !== pattern) {
    const marked = readMarked(pattern);
    last = { pattern, matches: marked ? ignoringCase(marked) : compile(pattern) };
  }
  return last.matches;
}

function ignoringCase({ from, to, text }: IgnoredCase): Matcher {
  const matches = compile(text);
  return (value) => matches(translate(value, from, to));
}

/**
 * The patterns of the API's filters, `%text%`, `text%`, `%text` and `text`, become plain comparisons, which take linear
 * time for texts of any length. Any other pattern becomes a regular expression.
 */
function compile(pattern: string): Matcher {
  const start = pattern.startsWith('%') ? 1 : 0;
  const end = endsOpen(pattern, start) ? pattern.length - 1 : pattern.length;
  const inner = pattern.slice(start, end);
  // Wildcards are sought without the escaped characters. Checking each character of a long text would take far longer.
  if (/[%_]/.test(inner.replace(/\\[\s\S]/g, ''))) return expressionOf(tokensOf(pattern));

  const literal = inner.replace(/\\([\s\S])/g, '$1');
  if (start === 0) return end < pattern.length ? (text) => text.startsWith(literal) : (text) => text === literal;
  return end < pattern.length ? finderOf(literal) : (text) => text.endsWith(literal);
}

/** Whether the last character, behind `start`, is a wildcard: an even number of escape characters precedes it. */
function endsOpen(pattern: string, start: number): boolean {
  const last = pattern.length - 1;
  if (last < start || pattern[last] !== '%') return false;
  let escapes = 0;
  while (pattern[last - 1 - escapes] === '\\') escapes++;
  return escapes % 2 === 0;
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
