/**
 * Record ids: `<slug>_<26 characters>`, which encode 48 bits of time in milliseconds and 80 random bits in lower-case
 * Crockford base32. Ids sort by creation: within a millisecond, or when the clock goes back, the next id is the last
 * one plus one (docs/decisions.md: id). If the newest id is far ahead of the clock, the clock was wrong when it was made:
 * ids still rise, and times are those of the clock again.
 */
import { randomBytes, randomFillSync } from 'node:crypto';
import { catalogue } from './catalogue.js';
import { slugOf } from './names.js';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** Milliseconds by which ids may be ahead of a clock that is right: clocks are corrected a little, and those of machines differ. */
export const mostDrift = 60_000;
const timeLength = 10;
const randomLength = 16;
/** The suffix of an id made by a gateway. */
const suffixOfId = /_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** Creates a generator of increasing ids; they are greater than every id passed to `startAfter`. */
export function createIds(now: () => number = Date.now) {
  let time = 0;
  let timeText = encodeTime(time);
  const digits = new Uint8Array(randomLength);
  // Drawn for many ids at once, because each call to the system is slow.
  const drawn = new Uint8Array(randomLength * 64);
  let used = drawn.length;

  /** The newest instant, or the clock's if the newest id has a time that was wrong. */
  const timeAt = (present: number): Date => new Date(time - present > mostDrift ? present : Math.max(present, time));

  function begin(instant: number): void {
    time = instant;
    timeText = encodeTime(time);
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    digits.set(drawn.subarray(used, used + randomLength));
    used += randomLength;
    // Leaves room for increments: the first digit starts in the lower half.
    for (let index = 0; index < randomLength; index++) digits[index] = (digits[index] ?? 0) & (index === 0 ? 15 : 31);
  }

  return {
    next(slug: string): { id: string; createdAt: Date } {
      const present = now();
      if (present > time) begin(present);
      else if (!countUp(digits)) begin(time + 1);
      return { id: `${slug}_${timeText}${encodeDigits(digits)}`, createdAt: timeAt(present) };
    },

    /** The current time, but not a little before the newest id's: a change must not appear older than the record. */
    now: (): Date => timeAt(now()),

    /** Milliseconds by which the newest id is ahead of the clock. */
    ahead: (): number => Math.max(0, time - now()),

    /** The last part of the newest id, as `startAfter` takes it. */
    newest: (): string => `_${timeText}${encodeDigits(digits)}`,

    /** Makes all later ids sort after `id`, whatever the clock says. Ignores ids of another form. */
    startAfter(id: string): void {
      const suffix = suffixOfId.exec(id)?.[1];
      if (!suffix || suffix <= timeText + encodeDigits(digits)) return;
      time = decodeTime(suffix);
      timeText = encodeTime(time);
      for (let index = 0; index < randomLength; index++) {
        digits[index] = alphabet.indexOf(suffix.charAt(timeLength + index));
      }
    },
  };
}

export type Ids = ReturnType<typeof createIds>;

/** Such as `brg_` and twelve characters, of what there are few of. */
export const newShortId = (kind: string): string =>
  `${kind}_${Array.from(randomBytes(12), (byte) => alphabet.charAt(byte & 31)).join('')}`;

/** All bits of `bytes`, five for each character, the most significant first. */
export function encodeBytes(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => alphabet.charAt(Number.parseInt(five.padEnd(5, '0'), 2))).join('');
}

/** An id of an instant whose random digits, from 0 to 31, come from elsewhere. */
export function idOf(slug: string, time: number, digit: () => number): string {
  const digits = new Uint8Array(randomLength);
  for (let index = 0; index < randomLength; index++) digits[index] = digit();
  return `${slug}_${encodeTime(time)}${encodeDigits(digits)}`;
}

/** What ids of an instant begin with; all ids of later instants sort behind it. */
export const firstIdOf = (slug: string, time: number): string => `${slug}_${encodeTime(time)}`;

/** The instant in the part of an id behind its slug, in milliseconds since 1970; undefined for another form. */
export function instantOfId(suffix: string): number | undefined {
  const [whole, digits] = suffixOfId.exec(suffix) ?? [];
  return digits === undefined || whole !== suffix ? undefined : decodeTime(digits);
}

/** Adds one to the number; on overflow returns false and leaves all digits 0. */
function countUp(digits: Uint8Array): boolean {
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = (digits[index] ?? 0) + 1;
    digits[index] = digit & 31;
    if (digit < 32) return true;
  }
  return false;
}

function encodeTime(time: number): string {
  let rest = time;
  let text = '';
  for (let index = 0; index < timeLength; index++) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeDigits(digits: Uint8Array): string {
  let text = '';
  for (const digit of digits) text += alphabet.charAt(digit);
  return text;
}

function decodeTime(suffix: string): number {
  let time = 0;
  for (const letter of suffix.slice(0, timeLength)) time = time * 32 + alphabet.indexOf(letter);
  return time;
}

/**
 * The ids of records of the past, `<id>@<version of the document>`: to the cache of a client a state of the past is another
 * object than the record as it is now, and the same state is the same object.
 */
export interface PastId {
  /** The id of the record itself. */
  id: string;
  /** The version of its document. */
  version: number;
}

const slugs: ReadonlySet<string> = new Set(Object.keys(catalogue).map(slugOf));

/**
 * What an id of the past names; undefined for any other text, such as an id of another system that has the same form: those
 * are stored as they are. The ids of records have no `@`.
 */
export function pastIdIn(text: string): PastId | undefined {
  const at = text.lastIndexOf('@');
  if (at < 0) return undefined;
  const [, id = '', slug = '', version] = /^(([a-z0-9-]+)_(?:[a-z0-9]{26}|default))@([1-9]\d{0,9})$/.exec(text) ?? [];
  return slugs.has(slug) ? { id, version: Number(version) } : undefined;
}

/** The end of a sentence that begins with the name of the value. */
export const isOfPast = 'is the id of a state of the past, as `asOf` answers it; give the `recordId` of the record';

/**
 * A record's version as an HTTP validator: `ETag: "7"` on every single record, `If-Match` to prevent lost updates,
 * `If-None-Match` to skip unchanged records (RFC 9110, 13.1).
 */
export const etagOf = (version: number): string => `"${version}"`;
