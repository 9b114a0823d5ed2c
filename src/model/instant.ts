/**
 * The instant an ISO 8601 text names: a date, or date and time with their zone. Undefined for every other text, and for
 * years before 1 or after 9999, which the databases write each in their own way.
 */
export function readInstant(text: string): Date | undefined {
  if (!form.test(text)) return undefined;
  const instant = new Date(text);
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant : undefined;
}

const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;
