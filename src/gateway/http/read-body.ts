import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MaybePromise } from '../../common/maybe-promise.js';
import { errors } from '../../model/errors/errors.js';
import { awaitsContinue, brokenOff, requestRefusal } from './broken-requests.js';

/** The largest accepted body, in bytes. */
export const BODY_LIMIT = 1024 * 1024;

/** The client disconnected before its body was complete, so there is nobody to answer. */
export class ClientGone extends Error {}

/**
 * Reads the whole body; undefined where there is none. The answer to a body that is too long closes its connection.
 *
 * @throws `body_too_large`, also in the middle of a body without a declared length; `content_type_unsupported`; why the
 * body breaks off; `ClientGone`
 */
export function readBody(request: IncomingMessage, response: ServerResponse): MaybePromise<Buffer | undefined> {
  const length = request.headers['content-length'];
  if (request.headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0)) {
    return undefined;
  }
  const coding = request.headers['transfer-encoding'];
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
  return isJson && given.length <= 1 && given.every(isUtf8);
}

function isUtf8(parameter: string): boolean {
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
