import type { AddressRules } from '../../../gateway/outgoing/address-rules.js';
import { createSender } from '../../../gateway/outgoing/sender.js';
import type { FetchText } from './key-set.js';

/** Milliseconds that an issuer may take to send its keys, and the most bytes that it may send. */
const longestFetch = 5_000;
const largestKeys = 100 * 1024;

/** Reads addresses that the rules permit, in bounded time and size, without following redirects. */
export function createFetchText(rules: AddressRules): FetchText {
  const sender = createSender(rules, { times: { answer: longestFetch, body: longestFetch, idle: 1000 } });
  return async (url) => {
    const { status, failure, body } = await sender.send({
      url,
      headers: { accept: 'application/jwk-set+json, application/json' },
      kept: largestKeys,
      signal: AbortSignal.timeout(longestFetch),
    });
    if (failure) throw new Error(failure === 'broken_off' ? 'timeout' : failure);
    if (status !== 200) throw new Error(`the issuer answered ${status}`);
    if (!body) throw new Error(`the answer was broken off, or is larger than ${largestKeys} bytes`);
    return body.toString();
  };
}
