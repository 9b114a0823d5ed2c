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

/** The policy of a page that loads everything from this server and has no inline scripts or styles. */
export const pagePolicy = policy({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
});

/** A Content-Security-Policy with `directives`; it also forbids framing, other base URLs and foreign form targets. */
export function policy(directives: Record<string, string>): string {
  const all = { ...directives, 'base-uri': "'none'", 'form-action': "'self'", 'frame-ancestors': "'none'" };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/**
 * The headers of every answer, as alternating names and values. Answers are data, so browsers may not frame, sniff or
 * run them; pages relax what they need. Strict-Transport-Security is left to the proxy that terminates TLS.
 */
export const securityHeaders: readonly string[] = Object.entries({
  'Content-Security-Policy': policy({ 'default-src': "'none'" }),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}).flat();

/** The default of answers that do not set `Cache-Control`. */
export const noStore = ['Cache-Control', 'no-store'] as const;

/** Server-sent events (HTML Standard, 9.2). */
export const eventStreamType = 'text/event-stream; charset=utf-8';
