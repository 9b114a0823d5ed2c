// Whether an `Accept` header allows a media type (RFC 9110, 12.5.1): by its full name, `type/*` or `*/*`, ignoring
// case, and with a quality above 0. A missing header allows every type.
export function accepts(header: string | undefined, mediaType: string): boolean {
  if (header === undefined) return true;
  const [type = ''] = mediaType.split('/');
  // The most specific range decides.
  const qualities = [mediaType, `${type}/*`, '*/*'].map((range) => qualityOf(header, range));
  return (qualities.find((quality) => quality !== undefined) ?? 0) > 0;
}

/** Whether the header names the media type itself. */
export const names = (header: string | undefined, mediaType: string): boolean =>
  header !== undefined && (qualityOf(header, mediaType) ?? 0) > 0;

/** The quality (`q`) that a header gives to a media range; undefined where the header does not list the range. */
function qualityOf(header: string, range: string): number | undefined {
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (name !== range) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return undefined;
}
