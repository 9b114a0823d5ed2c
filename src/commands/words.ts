/** Options whose words are read in the same way by several commands. */
import { InvalidArgumentError } from 'commander';
import { instantOf, secondsOf } from './time.js';

/** An instant in the past: `30d` ago, or a date. */
export function whenBefore(text: string): Date {
  const ago = secondsOf(text);
  const instant = ago === undefined ? instantOf(text) : new Date(Date.now() - ago * 1000);
  if (!instant) throw new InvalidArgumentError('Give a time ago, 30d or 12h or 30m, or a date, 2026-11-01.');
  return instant;
}

/** `AssetRepair,Quotation`; may be repeated. */
export function nameList(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(/[\s,]+/).filter((name) => name !== '')];
}
