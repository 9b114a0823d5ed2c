import { isUtf8 } from 'node:buffer';
import { errors } from '../errors.js';

/**
 * The value a body holds. Throws `json_invalid`, which says nothing of the body: it may be anybody's. Bytes that are not
 * UTF-8 are refused rather than replaced, so that what is stored is what was sent.
 */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw errors.badRequest('json_invalid');
  try {
    return JSON.parse(body.toString());
  } catch {
    throw errors.badRequest('json_invalid');
  }
}
