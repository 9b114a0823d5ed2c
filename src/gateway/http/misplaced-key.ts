import type { IncomingMessage } from 'node:http';

/** How a request without a usable `Authorization` seems to send its key. The key itself is never repeated. */
export function misplacedKey({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined {
  const { authorization } = headers;
  if (authorization) {
    if (/^bearer *$/i.test(authorization)) return 'behind `Bearer` there is none';
    if (/^bearer +\S+\s/i.test(authorization)) return 'behind `Bearer` belongs one key, and nothing else';
    if (/^basic /i.test(authorization)) return '`Basic` is not taken, because a key has no user';
    return 'the word `Bearer` and a space belong before it';
  }
  const header = keyHeaders.find((name) => headers[name] !== undefined);
  if (header) return `the header \`${header}\` is not read`;
  if (!/[?&](api[-_]?key|apikey|access[-_]?token|token|key|authorization)=/i.test(url)) return undefined;
  return 'not in the address, which proxies and browsers write down: a key that was sent there should be replaced';
}

const keyHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'cookie'];
