/**
 * Parses an ISO 8601 date, or date and time with zone. Undefined for any other text, and for years outside 1 to 9999,
 * which SQLite and PostgreSQL store differently.
 */
export function readInstant(text: string): Date | undefined {
  if (!form.test(text)) return undefined;
  const instant = new Date(text);
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant : undefined;
}

const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;
