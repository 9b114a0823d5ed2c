/**
 * The REST body inside the JSON text of an operation's `data`, found without reading the text: the aliases of
 * `document.ts` fix what it begins and ends with.
 */
export interface TextBody {
  body: string;
  /** Of a single record. */
  version: number | undefined;
}

/** The body; null where the record does not exist. */
export function textBody(data: string): TextBody | null {
  if (data.startsWith(recordStart)) {
    const record = data.slice(recordStart.length, -1);
    if (record === 'null') return null;
    const end = record.indexOf(',');
    const body = `{${record.slice(end + 1)}`;
    return { body, version: Number(record.slice(versionStart.length, end)) };
  }
  // The page's frame comes behind its records, so the last place that looks like it is it.
  const frame = data.lastIndexOf(moreStart);
  const [hasMore, total] = data.slice(frame + moreStart.length).split('}');
  return {
    body: `${data.slice(pageStart.length, frame)},"has_more":${hasMore}${total}}`,
    version: undefined,
  };
}

/** The id of the record that is the body. */
export const idIn = (body: string): string | undefined => /^\{"id":"([^"]*)"/.exec(body)?.[1];

const recordStart = '{"record":';
const versionStart = '{"_version":';
const pageStart = '{"page":';
const moreStart = ',"pageInfo":{"has_more":';
