import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.js';

/** The longest URL of a webhook, in characters. */
export const longestUrl = 2000;

/**
 * What is wrong with the URL of a webhook, as the end of a sentence that begins with its name; undefined if nothing is.
 * The addresses behind a name are checked with each connection, because they may change.
 */
export function urlProblem(text: string, rules: AddressRules): string | undefined {
  if (text.length > longestUrl) return `must have ${longestUrl} characters at most`;
  if (!URL.canParse(text)) return 'must be a URL such as https://example.com/hook';
  const url = new URL(text);
  if (url.username || url.password) return 'must not hold a user or a password; the signature proves who sends it';
  if (url.hash) return 'must not hold a fragment (#…), which is never sent';
  const host = hostOf(url);
  if (rules.namesHost(host)) return /^https?:$/.test(url.protocol) ? undefined : 'must begin with https:// or http://';
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (url.port && Number(url.port) < firstFreePort) return `must use port 443, or one from ${firstFreePort}`;
  if (isIP(host) ? !rules.permits(host, host) : isLocalName(host)) {
    return 'names a host of a private network; whoever runs the gateway can allow it by WEBHOOK_ALLOW';
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
