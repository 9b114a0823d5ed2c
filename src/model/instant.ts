/**
 * Instants as ISO 8601: a date (midnight UTC), or a date and time with zone. They are stored with milliseconds, in the years 1
 * to 9999, because SQLite and PostgreSQL store others differently.
 */

/** The instant; for any other text what is wrong with it, as a sentence without its subject. */
export function parseInstant(text: string): Date | string {
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '', offset] =
    form.exec(text) ?? [];
  if (!year) return notAnInstant;
  const lastDay = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= lastDay;
  if (!isDay) return 'must name a day that is in the calendar';
  const [offsetHour = '0', offsetMinute = '0'] = offset?.split(':') ?? [];
  const isTime = [hour, offsetHour].every((each) => Number(each) <= 23);
  const isExact = [minute, second, offsetMinute].every((each) => Number(each) <= 59);
  if (!isTime || !isExact) return 'must name a time from 00:00:00 to 23:59:59, with an offset of at most 23:59';
  if (/[1-9]/.test(fraction.slice(3)))
    return 'must have at most three decimals of a second: instants have milliseconds';
  const instant = new Date(text);
  return isInRange(instant) ? instant : 'must be in the years 0001 to 9999';
}

/** Whether an instant can be stored. */
export function isInRange(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** Undefined for text that is no instant. */
export function readInstant(text: string): Date | undefined {
  const instant = parseInstant(text);
  return typeof instant === 'string' ? undefined : instant;
}

export const notAnInstant = 'must be an instant as ISO 8601, `2026-01-31T09:30:00.000Z`';

const form = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|[+-](\d\d:\d\d)))?$/;
