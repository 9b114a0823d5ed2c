import { type BlockList, isIP } from 'node:net';
import { familyOf, networkOf, networksIn } from '../../common/network.js';

/**
 * Decides which addresses requests may be sent to: public ones, and those that a setting lists. Each entry of the setting
 * is an address, a network such as `10.0.0.0/8`, or the name of a host.
 */
export class AddressRules {
  readonly #names: ReadonlySet<string>;
  readonly #networks: BlockList;

  /** `setting` is its name. */
  constructor(
    allowed: readonly string[],
    readonly setting = 'a setting',
  ) {
    const names = allowed.filter((entry) => !networkOf(entry));
    this.#names = new Set(names.map((name) => name.toLowerCase()));
    this.#networks = networksIn(allowed);
  }

  /** Whether the operator has named this host, as a name or as an address. Such a host may use any port, and http. */
  namesHost(host: string): boolean {
    return this.#names.has(host) || (isIP(host) !== 0 && this.#networks.check(host, familyOf(host)));
  }

  /** Whether a connection to `address` may be made for a URL with this host. */
  permits(host: string, address: string): boolean {
    const family = isIP(address);
    if (family === 0) return false;
    if (this.#names.has(host) || this.#networks.check(address, familyOf(address))) return true;
    if (family === 4) return !special.check(address, 'ipv4');
    return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
  }
}

/** IPv6 addresses outside of it are local, mapped from IPv4, translated (NAT64), multicast or unassigned. */
const globalUnicast = networksIn(['2000::/3']);

/** The networks that IANA has reserved (RFC 6890), and those that contain the address of another network. */
const special = networksIn([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a provider
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the services of Azure for its own machines
  '169.254.0.0/16', // link-local, with the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast relays
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '2001::/23', // protocol assignments, with Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

/** The longest URL that requests are sent to, in characters. */
export const longestUrl = 2000;

/**
 * What is wrong with a URL, as the end of a sentence that begins with its name; undefined if nothing is.
 * The addresses behind a name are checked with each connection, because they may change.
 */
export function urlProblem(text: string, rules: AddressRules): string | undefined {
  if (text.length > longestUrl) return `must have ${longestUrl} characters at most`;
  if (!URL.canParse(text)) return 'must be a URL such as https://example.com/hook';
  const url = new URL(text);
  if (url.username || url.password) return 'must not hold a user or a password';
  if (url.hash) return 'must not hold a fragment (#…), which is never sent';
  const host = hostOf(url);
  if (rules.namesHost(host)) return /^https?:$/.test(url.protocol) ? undefined : 'must begin with https:// or http://';
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (url.port && Number(url.port) < firstFreePort) return `must use port 443, or one from ${firstFreePort}`;
  if (isIP(host) ? !rules.permits(host, host) : isLocalName(host)) {
    return `names a host of a private network; whoever runs the gateway can allow it by ${rules.setting}`;
  }
  return undefined;
}

/**
 * The host of a URL as look-ups and address checks expect it: without brackets and final dot. `URL` has already
 * converted other spellings of an address, such as `0x7f.1`.
 */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Ports below belong to other services, which must not receive requests. */
const firstFreePort = 1024;

/** Names that no public name server knows. A name without a dot is completed with the domain of the machine. */
function isLocalName(host: string): boolean {
  return !host.includes('.') || /\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/.test(host);
}
