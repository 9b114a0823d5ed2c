import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** A file of GraphiQL, ready to send. */
export interface PackedFile {
  /** The file, compressed with gzip. */
  gzip: Buffer;
  etag: string;
}

/** The exports of `@graphql-yoga/render-graphiql`, which contains all of GraphiQL 5 and loads nothing from a CDN. */
export type GraphiqlFile = 'js' | 'css' | 'editorWorkerService' | 'graphqlWorker' | 'jsonWorker';

/**
 * All files, compressed at the first request and then kept in memory (2.5 MB). A worker thread reads and compresses
 * them: nine megabytes of source would block the gateway for a third of a second and stay in its memory.
 */
export function packedFiles(): Promise<Map<GraphiqlFile, PackedFile>> {
  packed ??= pack().catch((error: unknown) => {
    packed = undefined;
    throw error;
  });
  return packed;
}

let packed: Promise<Map<GraphiqlFile, PackedFile>> | undefined;

const parts: GraphiqlFile[] = ['js', 'css', 'editorWorkerService', 'graphqlWorker', 'jsonWorker'];

// Source text, because a worker needs a JavaScript file whose path would differ between src/ and dist/.
const packer = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { gzipSync } = require('node:zlib');
  const source = require(workerData.path);
  parentPort.postMessage(workerData.parts.map((part) => [part, gzipSync(source[part])]));
`;

function pack(): Promise<Map<GraphiqlFile, PackedFile>> {
  return new Promise((resolve, reject) => {
    const path = createRequire(import.meta.url).resolve('@graphql-yoga/render-graphiql/graphiql');
    const worker = new Worker(packer, { eval: true, workerData: { path, parts } });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('GraphiQL could not be packed')));
    worker.once('message', (files: [GraphiqlFile, Uint8Array][]) => {
      resolve(new Map(files.map(([part, bytes]) => [part, packedFile(Buffer.from(bytes))])));
    });
  });
}

function packedFile(gzip: Buffer): PackedFile {
  return { gzip, etag: `"${createHash('sha256').update(gzip).digest('base64url').slice(0, 22)}"` };
}
