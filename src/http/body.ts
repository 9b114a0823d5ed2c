import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors } from '../errors.js';
import type { MaybePromise } from '../when-there.js';

/** The largest body taken, in bytes. */
export const BODY_LIMIT = 1024 * 1024;

/** The client went away before its body was whole: nobody is left to answer. */
export class ClientGone extends Error {}

/**
 * The whole body as bytes; undefined where there is none. Throws `body_too_large` as soon as that is known, also in the
 * middle of a body that did not announce its length, and `ClientGone`. What a refused client goes on sending is
 * discarded unread and slowly, so that others do not wait for it, and the server's request time-out ends it.
 */
export function readBody(request: IncomingMessage, response: ServerResponse): MaybePromise<Buffer | undefined> {
  const length = request.headers['content-length'];
  if (request.headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0)) {
    return undefined;
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    discard(request);
    throw errors.badRequest(
      'content_type_unsupported',
      'Send the body uncompressed: of transfer codings only `chunked` is read.',
    );
  }
  if (Number(length) > BODY_LIMIT) {
    discard(request);
    throw errors.badRequest('body_too_large');
  }
  if (awaitsContinue(request)) {
    response.writeContinue();
    response.removeHeader('Connection');
  }
  return collect(request);
}

/** Whether the client holds its body back until it is told to go on; see `createServer`. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === '100-continue';
}

/** Whether the body is announced as uncompressed JSON in UTF-8, the one form taken. */
export function isJson(request: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  return (type === 'application/json' || isJsonType(type)) && encoding.toLowerCase() === 'identity';
}

/** Read part by part: an expression for all of it took time by the square of the blanks. */
function isJsonType(header: string): boolean {
  const [type, ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const given = parameters.filter((parameter) => parameter !== '');
  return type === 'application/json' && given.length <= 1 && given.every(isUtf8);
}

function isUtf8(parameter: string): boolean {
  const [name = '', value = '', ...more] = parameter.split('=').map((part) => part.trim());
  return name === 'charset' && (value === 'utf-8' || value === '"utf-8"') && more.length === 0;
}

function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;

    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) chunks.push(chunk);
      else {
        settle(() => reject(errors.badRequest('body_too_large')));
        discard(request);
      }
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const onGone = () => settle(() => reject(new ClientGone()));
    const settle = (outcome: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onGone);
      outcome();
    };

    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** Milliseconds between what is taken of a body that nobody wants: six megabytes a second at most. */
const discardEvery = 10;

/** Takes what still comes, to nowhere: a client that reads the answer only when it has sent all of its body gets it. */
function discard(request: IncomingMessage): void {
  request.on('data', () => {
    request.pause();
    setTimeout(() => request.resume(), discardEvery).unref();
  });
}
