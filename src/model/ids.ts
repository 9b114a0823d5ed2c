/**
 * Record ids: `<slug>_<26 characters>`, the characters being 48 bits of time in milliseconds and 80 random bits in
 * lower-case Crockford base32. They sort by creation: within a millisecond, and when the clock steps back, the last id
 * is counted up by one instead (decisions: id, newest created first).
 */
import { randomFillSync } from 'node:crypto';

export interface NewId {
  id: string;
  createdAt: Date;
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeLength = 10;
const randomLength = 16;
/** The end of an id of ours. */
const suffixOfId = /_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** Makes ids that rise for as long as the process lives, and that start behind every id given to `startAfter`. */
export function createIds(now: () => number = Date.now) {
  let time = 0;
  const digits = new Uint8Array(randomLength);

  function begin(instant: number): void {
    time = instant;
    randomFillSync(digits);
    // Room to count up: the first digit starts in the lower half.
    for (let index = 0; index < randomLength; index++) digits[index] = (digits[index] ?? 0) & (index === 0 ? 15 : 31);
  }

  return {
    /** An id never given before, and the instant it carries. */
    next(slug: string): NewId {
      const present = now();
      if (present > time) begin(present);
      else if (!countUp(digits)) begin(time + 1);
      return { id: `${slug}_${encodeTime(time)}${encodeDigits(digits)}`, createdAt: new Date(time) };
    },

    /** The present, but never before the newest id's instant: nothing is changed before it was created. */
    now: (): Date => new Date(Math.max(now(), time)),

    /** No id made from now on sorts before `id`, whatever the clock says. An id of another form is passed over. */
    startAfter(id: string): void {
      const suffix = suffixOfId.exec(id)?.[1];
      if (!suffix || suffix <= encodeTime(time) + encodeDigits(digits)) return;
      time = decodeTime(suffix);
      for (let index = 0; index < randomLength; index++) {
        digits[index] = alphabet.indexOf(suffix.charAt(timeLength + index));
      }
    },
  };
}

export type Ids = ReturnType<typeof createIds>;

/** Adds one to the number the digits spell; false where there is no higher one, and then all of them are 0. */
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
