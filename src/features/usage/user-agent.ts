import { decodedWords } from '../../common/without-keys.js';
import { longestUserAgent } from './use.js';

/** What is read of a request: its client, and the key that must not be stored with it. */
export interface ClientHeaders {
  'user-agent'?: string | undefined;
  authorization?: string | undefined;
}

/**
 * A user agent as it is stored: visible ASCII, shortened, and without the key of its request or what looks like one:
 * clients put strange things into this header, and no secret is ever written anywhere. It needs the header as a whole,
 * because the part of a key would not be found. What is stored already stays as it is.
 */
export function storedUserAgent(given: string, authorization = ''): string {
  const secret = authorization.replace(/^bearer +/i, '');
  const read = decodedWords(given);
  const plain = (secret === '' ? read : read.replaceAll(secret, '…'))
    .replace(/[^ -~…]/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/\w{24,}/g, '…')
    .trim();
  return plain.length > longestUserAgent ? `${plain.slice(0, longestUserAgent - 1)}…` : plain;
}
