/**
 * The files of the pages, each as it is sent: as it is, or compressed, whichever the browser takes. Scripts and styles are those
 * of `dist/pages` where the gateway is built, else they are made from the sources.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { NextFunction, Request, Response } from 'express';
import { once } from '../../common/kept.js';
import { projectFolder } from '../../common/project.js';
import { bundleApp, type FirstFiles, versionHash } from './bundle-app.js';

/** The compressions, the best first, by their names in `Accept-Encoding`. */
export const encodings = ['br', 'gzip'] as const;

export type Encoding = (typeof encodings)[number];

export interface Packed {
  /** Such as `js`. */
  type: string;
  etag: string;
  /** How a browser may keep it. */
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

/** A JSON text that is asked for again and again, and compressed at its first request. */
export function packedJson(value: unknown): Packed {
  const bytes = Buffer.from(JSON.stringify(value));
  const compressed = { br: once(() => compress.br(bytes)), gzip: once(() => compress.gzip(bytes)) };
  return {
    type: 'json',
    // A weak validator, because the compressed and the plain file share it.
    etag: `W/"${versionHash(bytes)}"`,
    cacheControl: 'public, no-cache',
    read: async (encoding) => (encoding ? compressed[encoding]() : bytes),
  };
}

/** Answers a GET with the file, if there is one; 304 where the browser has it already. */
export async function sendPageFile(
  request: Request,
  response: Response,
  next: NextFunction,
  file: Packed | undefined,
): Promise<void> {
  if (!file) return next();
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

export interface PageFiles extends FirstFiles {
  /** The file of this name; undefined where there is none. */
  find(name: string): Packed | undefined;
}

/** The file in `dist/pages` that holds the `FirstFiles`. */
export const manifestName = 'manifest.json';

/** Reads nothing before it is called, so that the pages cost nothing if they are never opened. */
export const pageFiles: () => Promise<PageFiles> = once(openFiles);

async function openFiles(): Promise<PageFiles> {
  // `dist` is a project of its own.
  const built = join(projectFolder, 'pages');
  if (existsSync(join(built, manifestName))) return fromFolder(built);
  const { files, ...first } = await bundleApp();
  return { ...first, find: findIn(new Map(files.map(({ name, contents }) => [name, async () => contents]))) };
}

/**
 * Each file is read at its first request and then shared by all answers: those who read slowly hold no copies of their own.
 */
export function fromFolder(folder: string): PageFiles {
  const first: FirstFiles = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'));
  const names = readdirSync(folder).filter((name) => name !== manifestName);
  return { ...first, find: findIn(new Map(names.map((name) => [name, once(() => readFile(join(folder, name)))]))) };
}

/** The name holds the hash of the content, so the file behind it never changes. */
const findIn =
  (contents: ReadonlyMap<string, () => Promise<Uint8Array>>): PageFiles['find'] =>
  (name) =>
    contents.has(name)
      ? {
          type: extname(name).slice(1),
          // A weak validator, because the compressed and the plain file share it.
          etag: `W/"${name}"`,
          cacheControl: 'public, max-age=31536000, immutable',
          read: async (encoding) => contents.get(encoding ? `${name}.${encoding}` : name)?.(),
        }
      : undefined;
