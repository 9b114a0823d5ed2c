import type { ServerResponse } from 'node:http';

/**
 * The headers of every answer. Answers are data for one caller, so nothing may store, frame, sniff or run them; pages
 * loosen what they need. Strict-Transport-Security is for whoever terminates TLS to say.
 */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of securityHeaders) response.setHeader(name, value);
}

/** The policy of a page that takes everything from this server and nothing from inside its own text. */
export const pagePolicy = policy({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
});

/** A Content-Security-Policy that says `directives` and forbids framing, other bases and foreign form targets. */
export function policy(directives: Record<string, string>): string {
  const all = { ...directives, 'base-uri': "'none'", 'form-action': "'self'", 'frame-ancestors': "'none'" };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

const securityHeaders: [string, string][] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', policy({ 'default-src': "'none'" })],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];
