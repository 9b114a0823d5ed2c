import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson } from '../../common/read-json.js';
import { errors } from '../../model/errors/errors.js';
import { awaitsContinue, brokenOff, requestRefusal } from './server.js';
import type { Visit } from './visit.js';

/** The largest accepted body, in bytes. */
export const BODY_LIMIT = 1024 * 1024;

/** The client disconnected before its body was complete, so there is nobody to answer. */
export class ClientGone extends Error {}

/**
 * Reads the whole body. The answer to a body that is too long closes its connection.
 *
 * @throws `body_too_large`, also in the middle of a body without a declared length; `content_type_unsupported`; why the
 * body breaks off; `ClientGone`
 */
export function readBody({ request, response }: Pick<Visit, 'request' | 'response'>): Promise<Buffer> {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    stopReading(response);
    throw errors.badRequest(
      'content_type_unsupported',
      'Send the body uncompressed: `chunked` is the only transfer coding accepted.',
    );
  }
  if (Number(length) > BODY_LIMIT) {
    stopReading(response);
    throw errors.badRequest('body_too_large');
  }
  if (awaitsContinue(request)) {
    response.writeContinue();
    response.removeHeader('Connection');
  }
  const refusal = requestRefusal(request);
  if (refusal) throw refusal;
  return collect(request, response);
}

type Headers = Pick<IncomingMessage, 'headers'> & { method?: string | undefined };

/** Whether the headers declare uncompressed JSON in UTF-8, the only accepted form. */
export const isJson = (request: Headers): boolean => refusalOf(request) === undefined;

/** @throws `content_type_unsupported` */
export function requireJson(request: Headers): void {
  const refusal = refusalOf(request);
  if (refusal) throw refusal;
}

function refusalOf({ headers, method }: Headers): Error | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity') return notAccepted('with `Content-Encoding`', encoding, 'uncompressed');
  if (type === 'application/json' || isJsonType(type, method === 'PATCH')) return undefined;
  return notAccepted('as', type, 'as JSON in UTF-8, with the header `Content-Type: application/json`');
}

/** Names what was sent, if that can be shown in a line. */
const notAccepted = (how: string, given: string, accepted: string) =>
  errors.badRequest(
    'content_type_unsupported',
    `Send the body ${accepted}${/^[\w.+/;=" -]{1,80}$/.test(given) ? `; it was sent ${how} \`${given}\`` : ''}.`,
  );

/** Parsed part by part: one regular expression for the whole header took quadratic time on many spaces. */
function isJsonType(header: string, isPatch: boolean): boolean {
  const [type, ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const given = parameters.filter((parameter) => parameter !== '');
  // A PATCH is merged as RFC 7396 says, but for the defaults that `null` sets, so its name is taken too.
  const isJson = type === 'application/json' || (isPatch && type === 'application/merge-patch+json');
  return isJson && given.length <= 1 && given.every(isUtf8Charset);
}

function isUtf8Charset(parameter: string): boolean {
  const [name = '', value = '', ...more] = parameter.split('=').map((part) => part.trim());
  return name === 'charset' && (value === 'utf-8' || value === '"utf-8"') && more.length === 0;
}

/** The listeners stay on the request, which ends with the body: removing them would take as long as the rest. */
function collect(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;

    request.on('data', (chunk: Buffer) => {
      if (size > BODY_LIMIT) return;
      size += chunk.length;
      if (size <= BODY_LIMIT) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      stopReading(response);
      reject(errors.badRequest('body_too_large'));
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const onGone = () => {
      if (!request.readableEnded) reject(new ClientGone());
    };
    request.on(brokenOff, reject);
    request.on('close', onGone).on('error', onGone);
  });
}

/**
 * Makes the answer the last one on its connection. Otherwise a client that has sent the rest, but faster than it is thrown
 * away, would send its next request on a connection that is closed when the time for this one is over.
 */
function stopReading(response: ServerResponse): void {
  response.setHeader('Connection', 'close');
}

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
  if (body.length > deepestJson && isTooDeep(body)) {
    throw errors.badRequest('json_invalid', `The body is nested deeper than ${deepestJson} lists and objects.`);
  }
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw errors.badRequest('json_invalid', `The body is ${error.message}. Send one JSON object, in UTF-8.`);
  }
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
