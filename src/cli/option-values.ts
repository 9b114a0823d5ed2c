/** Options and option values that several commands read in the same way. */
import { InvalidArgumentError, Option } from 'commander';
import { instantOf, secondsOf } from './time.js';

/** An instant in the past: `30d` ago, or a date. */
export function whenBefore(text: string): Date {
  const ago = secondsOf(text);
  const instant = ago === undefined ? instantOf(text) : new Date(Date.now() - ago * 1000);
  if (!instant) throw new InvalidArgumentError('Give a time ago, 30d or 12h or 30m, or a date, 2026-11-01.');
  return instant;
}

/** `--overlap`: how long a key or secret stays valid beside its replacement. */
export const overlapOption = (description: string): Option =>
  new Option('-o, --overlap <time>', `${description}: 24h, 7d, 0s`).argParser(seconds).default(24 * 60 * 60, '24h');

function seconds(text: string): number {
  const amount = secondsOf(text);
  if (amount === undefined) throw new InvalidArgumentError('Give a time: 7d, 24h, 30m or 0s.');
  return amount;
}

/** `AssetRepair,Quotation`; may be repeated. */
export function nameList(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(/[\s,]+/).filter((name) => name !== '')];
}

/** The same, but refuses an empty name, which a script may have passed by mistake. */
export function namesOf(text: string, before: string[] = []): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Give names with single commas between them.');
  return [...before, ...names];
}
