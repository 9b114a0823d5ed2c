import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { AddressRules } from '../address-rules.js';

/** Thrown before a connection to an address that webhooks may not be sent to. */
export class AddressRefused extends Error {}

/** Resolves a name to all its addresses; rejects if there are none. */
export type ResolveName = (host: string) => Promise<LookupAddress[]>;

/**
 * A look-up for `net.connect` that passes on only addresses that the rules permit. Connections use the addresses it has
 * checked, so a name that changes its address in between gains nothing. If any of the addresses is refused, all are.
 */
export function pinnedLookup(rules: AddressRules, resolve: ResolveName = resolverOf(rules)): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || addresses.some(({ address }) => !rules.permits(host, address))) {
          return callback(new AddressRefused('The name leads to an address that webhooks may not be sent to'), '');
        }
        return all ? callback(null, addresses) : callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

/**
 * Asks the name servers directly, because the system's look-up occupies threads that other work needs. Only for names
 * that the operator allows, which may be known to this machine alone, it uses the system's look-up.
 */
function resolverOf(rules: AddressRules): ResolveName {
  return (host) => (rules.namesHost(host) ? lookup(host, { all: true }) : askNameServers(host));
}

/** The addresses that the name servers give for `host`, IPv4 first. @param servers by default those of the system */
export async function askNameServers(host: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
}
