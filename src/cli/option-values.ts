/** Options and option values that several commands read in the same way. */
import { InvalidArgumentError, Option } from 'commander';
import { isInRange, readInstant } from '../model/instant.js';

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

/** A whole number in this range; `what` says which is wanted. */
export const wholeNumberFrom =
  (least: number, most: number, what: string) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d{1,16}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Give a whole number${what}.`);
  };

/** `AssetRepair,Quotation`; may be repeated. An empty name is refused: a script may have passed it by mistake. */
export function nameList(text: string, before: string[] = []): string[] {
  const names = text.trim().split(/\s*,\s*|\s+/);
  if (names.includes('')) throw new InvalidArgumentError('Give names with single commas between them.');
  return [...before, ...names];
}

/** Parses times as people write them on a command line. */
const secondsIn: Record<string, number> = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

/** `90d`, `12h`, `30m` or `0s` in seconds; undefined for any other form. */
export function secondsOf(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const each = secondsIn[unit];
  return each === undefined ? undefined : Number(amount) * each;
}

/**
 * The instant of `90d` (from now), `2027-01-31` (midnight UTC) or a complete ISO 8601 instant; undefined for any other
 * form, and for an instant after the year 9999.
 */
export function instantOf(text: string, now = Date.now()): Date | undefined {
  const fromNow = secondsOf(text);
  if (fromNow === undefined) return readInstant(text);
  const instant = new Date(now + fromNow * 1000);
  return isInRange(instant) ? instant : undefined;
}

/** Such as `2027-01-31 09:30 UTC`. */
export const shownInstant = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
