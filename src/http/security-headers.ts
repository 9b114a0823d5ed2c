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

/**
 * The headers of every answer, each name followed by its value. Answers are data for one caller, so nothing may frame,
 * sniff or run them; pages loosen what they need. Strict-Transport-Security is for whoever terminates TLS to say.
 */
export const securityHeaders: readonly string[] = Object.entries({
  'Content-Security-Policy': policy({ 'default-src': "'none'" }),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}).flat();

/** Nor may anything store them, unless the answer says otherwise. */
export const noStore = ['Cache-Control', 'no-store'] as const;
