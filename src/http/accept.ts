// Whether an `Accept` header takes a media type (RFC 9110, 12.5.1): by its own name, by `type/*` or by `*/*`, in any case,
// unless its quality is 0. A request without the header takes any.
export function accepts(header: string | undefined, mediaType: string): boolean {
  if (header === undefined) return true;
  const [type = ''] = mediaType.split('/');
  // The most exact name decides.
  const qualities = [mediaType, `${type}/*`, '*/*'].map((range) => qualityOf(header, range));
  return (qualities.find((quality) => quality !== undefined) ?? 0) > 0;
}

/** Whether the header names the media type itself. */
export const names = (header: string | undefined, mediaType: string): boolean =>
  header !== undefined && (qualityOf(header, mediaType) ?? 0) > 0;

/** The quality a header gives to a media range; undefined where it does not name it. */
function qualityOf(header: string, range: string): number | undefined {
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (name !== range) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return undefined;
}
