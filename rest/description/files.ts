/**
 * The descriptions that tools read: the REST interface as OpenAPI, the GraphQL schema, and the GraphQL operations of all
 * endpoints. They need no key, because they hold nothing of the records, keys and settings. Each is made when it is first
 * asked for.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Router } from 'express';
import { once } from '../../src/common/kept.js';
import { gatewayVersion } from '../../src/common/project.js';
import type { ApiParts } from '../../src/gateway/gateway.js';
import { type Packed, packed, sendPacked } from '../../src/gateway/http/answer/packed.js';
import { printSdl } from '../../src/graphql/print-sdl.js';
import { errors } from '../../src/model/errors/errors.js';
import type { RestEndpoint } from '../endpoints.js';
import { describeRest } from './describe.js';
import { twinOf } from './describe-operation.js';

export function descriptionFiles(endpoints: readonly RestEndpoint[], parts: ApiParts): Router {
  const { schema, features, inForce, config, trustedDocuments } = parts;
  const described = inForce.derive(() => {
    const describe = () => describeRest(endpoints, schema, gatewayVersion(), features, config.publicUrl);
    const openapi = once(async () => JSON.stringify(await describe()));
    return {
      json: once(async () => packed('application/json', await openapi())),
      yaml: once(async () => packed('application/yaml', await asYaml(await openapi()))),
    };
  });
  const operations = () => `${JSON.stringify(operationsFile(endpoints), null, 2)}\n`;
  const operationsJson = once(async () => packed('application/json', operations()));
  const schemaText = once(async () => packed('application/graphql', printSdl(schema)));
  const router = Router({ caseSensitive: true, strict: true });
  const file = (path: string, make: () => Promise<Packed>) =>
    router.get(path, async (request, response) => sendPacked(request, response, await make()));
  file('/openapi.json', () => described.value.json());
  file('/openapi.yaml', () => described.value.yaml());
  file('/operations.json', operationsJson);
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  router.get('/operations/:file', (request, response, next) => {
    const [, name = '', form] = /^(\w+)\.(json|graphql)$/.exec(request.params.file) ?? [];
    const endpoint = byName.get(name);
    if (!endpoint) next();
    else if (form === 'json') response.json(twinOf(endpoint));
    else response.type('application/graphql').send(`${endpoint.text}\n`);
  });
  file('/schema.graphql', async () => {
    // The schema is hidden from clients that may send no operations of their own, as it is from introspection.
    if (trustedDocuments.value) throw errors.badRequest('route_not_found');
    return schemaText();
  });
  return router;
}

// Source text, because a worker needs a JavaScript file whose path would differ between src/ and dist/. Its own `require` looks
// for a package.json from the working directory on, which this user may not be allowed to read.
const writer = `
  const { createRequire } = require('node:module');
  const { parentPort, workerData } = require('node:worker_threads');
  const { stringify } = createRequire(workerData.path)(workerData.path);
  parentPort.postMessage(stringify(JSON.parse(workerData.json)));
`;

/** In a worker thread, because it takes a second. */
function asYaml(json: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const path = createRequire(import.meta.url).resolve('yaml');
    const worker = new Worker(writer, { eval: true, workerData: { path, json } });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The description could not be written as YAML')));
    worker.once('message', resolve);
  });
}

/**
 * The GraphQL operations of all endpoints by their names, in the form that TRUSTED_DOCUMENTS takes. Those that end in
 * `OnlyId` are for keys that may write but not read: their answers hold only the id. Those that end in `AsOf` show a
 * record as it was.
 */
const operationsFile = (endpoints: readonly RestEndpoint[]): Record<string, string> =>
  Object.fromEntries(
    endpoints.flatMap((endpoint) => {
      const { name, text, method, resource } = endpoint;
      if (!resource) return [[name, text]];
      const { past, blind } = endpoint;
      return [
        [name, text],
        ...(past ? [[`${name}AsOf`, past.text]] : []),
        ...(method === 'GET' ? [] : [[`${name}OnlyId`, blind.text]]),
      ];
    }),
  );
