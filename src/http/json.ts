import { isUtf8 } from 'node:buffer';
import { errors } from '../errors.js';

/** Lists and objects within one another. Tens of thousands of them keep the collection of garbage busy for long. */
export const deepestJson = 1000;

/**
 * The value a body holds. Throws `json_invalid`, which says nothing of the body: it may be anybody's. Bytes that are not
 * UTF-8 are refused rather than replaced, so that what is stored is what was sent.
 */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw errors.badRequest('json_invalid');
  const text = body.toString();
  if (hasManyBrackets(text) && isTooDeep(body)) {
    throw errors.badRequest('json_invalid', `The body is nested deeper than ${deepestJson} lists and objects.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw errors.badRequest('json_invalid');
  }
}

/** Whether there are enough of them to nest too deep, wherever they stand. Of most bodies this is all that is looked at. */
function hasManyBrackets(text: string): boolean {
  let brackets = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++brackets > deepestJson) return true;
    }
  }
  return false;
}

/** Looks at the brackets outside of strings, without knowing whether all of it is JSON. */
function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  for (let index = 0; index < body.length; index++) {
    switch (body[index]) {
      case bytes.quote:
        index = stringEnd(body, index + 1);
        break;
      case bytes.list:
      case bytes.object:
        if (++depth > deepestJson) return true;
        break;
      case bytes.listEnd:
      case bytes.objectEnd:
        depth--;
    }
  }
  return false;
}

function stringEnd(body: Buffer, start: number): number {
  let index = start;
  while (index < body.length && body[index] !== bytes.quote) index += body[index] === bytes.backslash ? 2 : 1;
  return index;
}

const bytes = { quote: 0x22, backslash: 0x5c, list: 0x5b, listEnd: 0x5d, object: 0x7b, objectEnd: 0x7d };
