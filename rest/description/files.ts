/**
 * The descriptions that tools read: the REST interface as OpenAPI, the GraphQL schema, and the GraphQL operations of all
 * endpoints. They need no key, because they hold nothing of the records, keys and settings. Each is made when it is first
 * asked for, and kept compressed.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Current } from '../../src/common/current.js';
import { once } from '../../src/common/once.js';
import { gatewayVersion } from '../../src/common/project.js';
import type { ServedFeature } from '../../src/gateway/feature.js';
import { type PackedFile, packed, packedFile, sendPacked } from '../../src/gateway/http/answer/packed-file.js';
import { printSdl } from '../../src/graphql/print-sdl.js';
import { errors } from '../../src/model/errors/errors.js';
import { changesText } from '../changes.js';
import { eventsText } from '../events.js';
import { changesName, eventsName, type RestOperation } from '../operations.js';
import { describeRest } from './describe.js';
import { twinOf } from './describe-operation.js';

export interface FileParts {
  operations: readonly RestOperation[];
  schema: GraphQLSchema;
  /**
   * Whether clients may send operations of their own. Otherwise the schema is hidden from them, as it is from
   * introspection.
   */
  isOpen: () => boolean;
  features: readonly Pick<ServedFeature, 'describe'>[];
  /** Replaced whenever settings were reloaded, of which the features may show some. */
  inForce: Current<unknown>;
  publicUrl?: string | undefined;
}

export function descriptionFiles({ operations, schema, isOpen, features, inForce, publicUrl }: FileParts): Router {
  const described = inForce.derive(() => {
    const describe = () => describeRest(operations, schema, gatewayVersion(), features, publicUrl);
    const openapi = once(async () => JSON.stringify(await describe()));
    return { json: once(async () => packed(await openapi())), yaml: once(async () => packedYaml(await openapi())) };
  });
  const operationsJson = once(async () => packed(`${JSON.stringify(operationsFile(operations), null, 2)}\n`));
  const schemaText = once(async () => packed(printSdl(schema)));
  const router = Router({ caseSensitive: true, strict: true });
  const file = (path: string, type: string, make: () => Promise<PackedFile>) => router.get(path, serve(type, make));
  file('/openapi.json', 'application/json', () => described.value.json());
  file('/openapi.yaml', 'application/yaml', () => described.value.yaml());
  file('/operations.json', 'application/json', operationsJson);
  const textOf = new Map(operations.map((operation) => [`${operation.name}.graphql`, () => operation.text]));
  const twins = new Map(operations.map((operation) => [`${operation.name}.json`, () => twinOf(operation)]));
  for (const [name, text] of furtherTexts) {
    textOf.set(`${name}.graphql`, text);
    twins.set(`${name}.json`, () => ({ name, document: text(), variables: {} }));
  }
  router.get('/operations/:file', (request, response, next) => {
    const twin = twins.get(request.params.file);
    if (twin) response.json(twin());
    else next();
  });
  router.get('/operations/:file', (request, response, next) => {
    const text = textOf.get(request.params.file);
    if (text) response.type('application/graphql').send(`${text()}\n`);
    else next();
  });
  file('/schema.graphql', 'application/graphql', async () => {
    if (!isOpen()) throw errors.badRequest('route_not_found');
    return schemaText();
  });
  return router;
}

const serve =
  (type: string, make: () => Promise<PackedFile>): RequestHandler =>
  async (request, response) =>
    sendPacked(request, response, type, await make());

// Source text, because a worker needs a JavaScript file whose path would differ between src/ and dist/. Its own `require` looks
// for a package.json from the working directory on, which this user may not be allowed to read.
const packer = `
  const { createRequire } = require('node:module');
  const { parentPort, workerData } = require('node:worker_threads');
  const { gzipSync } = require('node:zlib');
  const { stringify } = createRequire(workerData.path)(workerData.path);
  parentPort.postMessage(gzipSync(stringify(JSON.parse(workerData.json))));
`;

/** In a worker thread, because it takes a second. */
function packedYaml(json: string): Promise<PackedFile> {
  return new Promise((resolve, reject) => {
    const path = createRequire(import.meta.url).resolve('yaml');
    const worker = new Worker(packer, { eval: true, workerData: { path, json } });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The description could not be written as YAML')));
    worker.once('message', (bytes: Uint8Array) => resolve(packedFile(Buffer.from(bytes))));
  });
}

/** The texts of the operations that no record type has, by their names. */
const furtherTexts: ReadonlyMap<string, () => string> = new Map([
  [changesName, changesText],
  [eventsName, eventsText],
]);

/**
 * The GraphQL operations of all endpoints by their names, in the form that TRUSTED_DOCUMENTS takes. Those that end in
 * `OnlyId` are for keys that may write but not read: their answers hold only the id. Those that end in `AsOf` show a
 * record as it was.
 */
function operationsFile(operations: readonly RestOperation[]): Record<string, string> {
  const ofRecords = operations.flatMap(({ name, method, text, pastText, blindText }) => [
    [name, text],
    ...(pastText === undefined ? [] : [[`${name}AsOf`, pastText]]),
    ...(method === 'GET' ? [] : [[`${name}OnlyId`, blindText]]),
  ]);
  return Object.fromEntries([...ofRecords, ...Array.from(furtherTexts, ([name, text]) => [name, text()])]);
}
