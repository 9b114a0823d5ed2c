/** Parses times as people write them on a command line. */
import { isInRange, readInstant } from '../model/instant.js';

const secondsIn = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 60 * 60],
  ['d', 24 * 60 * 60],
]);

/** `90d`, `12h`, `30m` or `0s` in seconds; undefined for any other form. */
export function secondsOf(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const each = secondsIn.get(unit);
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
