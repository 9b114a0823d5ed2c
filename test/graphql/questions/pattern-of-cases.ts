/**
 * Patterns that ignore case for both databases: of each letter all its cases, which are read from the regular expressions
 * of JavaScript. The databases' own knowledge of letters is not used, and the gateway's tables are not either.
 */
import type { Provider } from '../../../src/database/migrations/migration-history.js';

/** All up to the last that may have another case; of one behind it the only case is itself. */
const characters = Array.from({ length: 0x1ffff }, (_, index) => index + 1)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .join('');

const known = new Map<string, readonly string[]>();

function casesOf(letter: string): readonly string[] {
  const found = known.get(letter) ?? [
    ...new Set([letter, ...(characters.match(new RegExp(escaped(letter), 'giu')) ?? [])]),
  ];
  known.set(letter, found);
  return found;
}

const escaped = (letter: string): string => `\\u{${letter.codePointAt(0)?.toString(16)}}`;

/** For `~` of PostgreSQL or GLOB of SQLite. */
export function patternOfCases(provider: Provider, operator: string, text: string): string {
  const [isStart, isEnd] = [operator === 'startsWith', operator === 'endsWith'];
  const classes = [...text].map((letter) => classOf(provider, casesOf(letter))).join('');
  return provider === 'sqlite'
    ? `${isStart ? '' : '*'}${classes}${isEnd ? '' : '*'}`
    : `${isStart ? '^' : ''}${classes}${isEnd ? '$' : ''}`;
}

function classOf(provider: Provider, letters: readonly string[]): string {
  if (provider === 'sqlite') return letters.join() === '^' ? '^' : `[${letters.join('')}]`;
  const points = letters.map((letter) => `\\U${letter.codePointAt(0)?.toString(16).padStart(8, '0')}`);
  return `[${points.join('')}]`;
}
