import type { SigningKeys } from '../signing-keys.js';

/** What is sent to the receiver of a webhook. */
export interface Message {
  /** The same in every attempt, so that the receiver can recognise a repetition. */
  id: string;
  /** JSON. */
  body: string;
}

/**
 * The headers of a message as Standard Webhooks 1.0 says. `keys` are all keys that are valid now, the newest first:
 * while keys are rotated, a receiver accepts the message by either.
 */
export function signedHeaders({ id, body }: Message, keys: readonly SigningKeys[], now: Date) {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return {
    'content-type': 'application/json',
    'user-agent': 'Business-Records-Gateway',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((each) => each.sign(`${id}.${timestamp}.${body}`)).join(' '),
  };
}

export type SignedHeaders = ReturnType<typeof signedHeaders>;
