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

/** Makes ids that rise for as long as the process lives, and that start behind every id given to `startAfter`. */
export function createIds(now: () => number = Date.now) {
  let time = 0;
  const digits = new Uint8Array(randomLength);

  return {
    /** An id never given before, and the instant it carries. */
    next(slug: string): NewId {
      const present = now();
      if (present > time) {
        time = present;
        randomFillSync(digits).forEach((byte, index) => {
          digits[index] = byte & 31;
        });
        // Room to count up: the first digit starts in the lower half.
        digits[0] = (digits[0] ?? 0) & 15;
      } else {
        countUp(digits);
      }
      return { id: `${slug}_${encodeTime(time)}${encodeDigits(digits)}`, createdAt: new Date(time) };
    },

    /** No id made from now on sorts before `id`, whatever the clock says. Given the newest stored id at start. */
    startAfter(id: string): void {
      const suffix = id.slice(-(timeLength + randomLength));
      const stored = decodeTime(suffix);
      if (stored < time) return;
      time = stored;
      for (let index = 0; index < randomLength; index++)
        digits[index] = alphabet.indexOf(suffix[timeLength + index] ?? '0');
    },
  };
}

export type Ids = ReturnType<typeof createIds>;

function countUp(digits: Uint8Array): void {
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = (digits[index] ?? 0) + 1;
    digits[index] = digit & 31;
    if (digit < 32) return;
  }
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
  for (const letter of suffix.slice(0, timeLength)) time = time * 32 + Math.max(0, alphabet.indexOf(letter));
  return time;
}
