import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { once } from '../../src/common/kept.js';

/** A file that is the same for everybody, ready to send. */
export interface PackedFile {
  /** The file, compressed with gzip. */
  gzip: Buffer;
  etag: string;
  /** The file without compression: one copy for all, because anybody may ask for it and read it slowly. */
  plain(): Promise<Buffer>;
}

export const packedFile = (gzip: Buffer): PackedFile => ({
  gzip,
  // A weak validator, because the compressed and the plain file share it.
  etag: `W/"${createHash('sha256').update(gzip).digest('base64url').slice(0, 22)}"`,
  plain: once(() => promisify(gunzip)(gzip)),
});

export const packed = async (text: string): Promise<PackedFile> => packedFile(await promisify(gzip)(text));

/** Sends the file compressed, or 304 where the client has it. Caches keep it, and ask each time whether it is the same. */
export async function sendPacked(request: Request, response: Response, type: string, file: PackedFile): Promise<void> {
  response.setHeader('Cache-Control', 'public, no-cache');
  response.setHeader('ETag', file.etag);
  response.vary('Accept-Encoding');
  if (request.fresh) return void response.status(304).end();
  response.type(type);
  if (!request.acceptsEncodings('gzip')) return void response.send(await file.plain());
  response.setHeader('Content-Encoding', 'gzip');
  response.end(file.gzip);
}
