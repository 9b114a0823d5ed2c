import { isUtf8 } from 'node:buffer';
import { readJson } from '../../common/read-json.js';
import { errors } from '../../model/errors/errors.js';

/**
 * The deepest allowed nesting of arrays and objects. Tens of thousands of levels keep the garbage collector busy for
 * long.
 */
export const deepestJson = 1000;

/**
 * Parses a JSON body. Bytes that are not UTF-8 are refused rather than replaced, so that the stored value is what was
 * sent. @throws `json_invalid`, whose message never quotes the body, because it may hold private data
 */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw errors.badRequest('json_invalid', 'The body is not UTF-8. Send one JSON object, in UTF-8.');
  // A byte order mark, which some editors and shells put before it, may be ignored (RFC 8259, 8.1), and nobody sees it.
  const text = body.toString().replace(/^\uFEFF/, '');
  if (hasManyBrackets(text) && isTooDeep(body)) {
    throw errors.badRequest('json_invalid', `The body is nested deeper than ${deepestJson} lists and objects.`);
  }
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw errors.badRequest('json_invalid', `The body is ${error.message}. Send one JSON object, in UTF-8.`);
  }
}

/** A quick check: whether the text has enough opening brackets to be too deep. Most bodies need no other check. */
function hasManyBrackets(text: string): boolean {
  if (text.length <= deepestJson) return false;
  let brackets = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++brackets > deepestJson) return true;
    }
  }
  return false;
}

/** Counts the open brackets outside strings. The text need not be valid JSON. */
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
