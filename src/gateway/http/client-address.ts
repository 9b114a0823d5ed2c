import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { familyOf, networksIn } from '../../common/network.js';

/**
 * Finds the address of the client behind the proxies of the setting TRUSTED_PROXIES; undefined if it names none. Each
 * proxy writes the address that called it at the end of `X-Forwarded-For`, so from the end on it is believed as far as
 * those who wrote it are trusted: what a client has sent itself stands before that.
 */
export function clientAddresses(
  trustedProxies: readonly string[],
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | undefined {
  if (trustedProxies.length === 0) return () => undefined;
  const trusted = networksIn(trustedProxies);

  return ({ headers, socket }) => {
    let client = addressIn(socket.remoteAddress ?? '');
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join().split(',');
    while (client !== undefined && trusted.check(client, familyOf(client))) {
      const before = addressIn(forwarded.pop() ?? '');
      if (before === undefined) break;
      client = before;
    }
    return client;
  };
}

/** The address in `10.0.0.1`, `10.0.0.1:4000`, `::1`, `[::1]:4000` or `::ffff:10.0.0.1`; undefined for another text. */
function addressIn(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
  // An address with a zone, such as `fe80::1%eth0`, is of no use elsewhere, and a zone can be any text.
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}
