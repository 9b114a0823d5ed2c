/**
 * Extracts the REST body from the JSON text of an operation's only field. The aliases in `document-text.ts` fix how the text
 * begins and ends, so it need not be parsed; only lines are, to count them.
 */
export interface TextBody {
  body: string;
  /** Only a single record has one. */
  version: number | undefined;
}

/** The body; null if the record does not exist. */
export function textBody(field: string): TextBody | null {
  if (field === 'null') return null;
  for (const start of payloadStarts) if (field.startsWith(start)) return textBody(field.slice(start.length, -1));
  if (field.startsWith(versionStart)) {
    const end = field.indexOf(',');
    return { body: `{${field.slice(end + 1)}`, version: Number(field.slice(versionStart.length, end)) };
  }
  if (field.startsWith('[')) {
    const lines: unknown[] = JSON.parse(field);
    return { body: `{"data":${field},"has_more":false,"total":${lines.length}}`, version: undefined };
  }
  // The page's envelope follows its records, so its last occurrence is the right one.
  const frame = field.lastIndexOf(moreStart);
  if (frame < 0) return { body: field, version: undefined };
  const [hasMore, total] = field.slice(frame + moreStart.length).split('}');
  return { body: `${field.slice(0, frame)},"has_more":${hasMore}${total}}`, version: undefined };
}

/** The record's id in the body. */
export const idIn = (body: string): string | undefined => /^\{"id":"([^"]*)"/.exec(body)?.[1];

/** A mutation answers its record or its lines inside of a payload. */
const payloadStarts = ['{"record":', '{"records":'];
const versionStart = '{"_version":';
const moreStart = ',"pageInfo":{"has_more":';
