/** Files that are the same for everybody, each sent as it is or compressed, whichever the client takes. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { once } from '../../../common/kept.js';

/** The compressions, the best first, by their names in `Accept-Encoding`. */
export const encodings = ['br', 'gzip'] as const;

export type Encoding = (typeof encodings)[number];

export interface Packed {
  /** Such as `js`, or a media type. */
  type: string;
  /** A weak validator, because the compressed and the plain file share it. */
  etag: string;
  /** How a client may keep it. */
  cacheControl: string;
  /** The bytes; without an encoding as they are. Undefined where the file is not there in this encoding. */
  read(encoding?: Encoding): Promise<Uint8Array | undefined>;
}

/**
 * Compressed in the thread pool, so that other requests do not wait. Quality 6 of Brotli is within a tenth of the best
 * and takes a fraction of the time.
 */
export const compress: Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

export const versionHash = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

/** A text that is asked for again and again, compressed at its first request. Clients ask each time whether it is the same. */
export function packed(type: string, text: string): Packed {
  const bytes = Buffer.from(text);
  const compressed = { br: once(() => compress.br(bytes)), gzip: once(() => compress.gzip(bytes)) };
  return {
    type,
    etag: `W/"${versionHash(bytes)}"`,
    cacheControl: 'public, no-cache',
    // One copy for all: anybody may ask for it and read it slowly.
    read: async (encoding) => (encoding ? compressed[encoding]() : bytes),
  };
}

/** Answers a GET with the file; 304 where the client has it already. */
export async function sendPacked(request: Request, response: Response, file: Packed): Promise<void> {
  response.setHeader('Cache-Control', file.cacheControl);
  response.setHeader('ETag', file.etag);
  response.vary('Accept-Encoding');
  if (request.fresh) return void response.status(304).end();
  response.type(file.type);
  for (const encoding of encodings) {
    const bytes = request.acceptsEncodings(encoding) ? await file.read(encoding) : undefined;
    if (!bytes) continue;
    response.setHeader('Content-Encoding', encoding);
    return void response.end(bytes);
  }
  response.end(await file.read());
}
