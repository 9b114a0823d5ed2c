/**
 * The REST body inside the JSON text of an operation's only field, found without reading the text: the aliases of
 * `document.ts` fix what it begins and ends with.
 */
export interface TextBody {
  body: string;
  /** Of a single record. */
  version: number | undefined;
}

/** The body; null where the record does not exist. */
export function textBody(field: string): TextBody | null {
  if (field === 'null') return null;
  if (field.startsWith(versionStart)) {
    const end = field.indexOf(',');
    return { body: `{${field.slice(end + 1)}`, version: Number(field.slice(versionStart.length, end)) };
  }
  // The page's frame comes behind its records, so the last place that looks like it is it.
  const frame = field.lastIndexOf(moreStart);
  const [hasMore, total] = field.slice(frame + moreStart.length).split('}');
  return { body: `${field.slice(0, frame)},"has_more":${hasMore}${total}}`, version: undefined };
}

/** The id of the record that is the body. */
export const idIn = (body: string): string | undefined => /^\{"id":"([^"]*)"/.exec(body)?.[1];

const versionStart = '{"_version":';
const moreStart = ',"pageInfo":{"has_more":';
