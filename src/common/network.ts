import { BlockList, isIP } from 'node:net';

export interface Network {
  address: string;
  /** The length of its prefix in bits. */
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** The network in `10.0.0.0/8`, or the address in `10.0.0.1` as a network of its own; undefined for another text. */
export function networkOf(text: string): Network | undefined {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const longest = version === 4 ? 32 : 128;
  const prefix = length === undefined ? longest : Number(length);
  return prefix <= longest ? { address, prefix, family: familyOf(address) } : undefined;
}

export const familyOf = (address: string): Network['family'] => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The networks and addresses among the texts. */
export function networksIn(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const network = networkOf(text);
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  return list;
}

/** Whether a text is a network, an address or the name of a host. An address written wrongly is no name. */
export function isHostOrNetwork(text: string): boolean {
  if (networkOf(text)) return true;
  const labels = text.split('.');
  return (
    text.length <= 253 &&
    labels.every((label) => /^[a-z\d_-]{1,63}$/i.test(label)) &&
    !/^(\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '')
  );
}

/** Whether a host is the machine itself. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');
