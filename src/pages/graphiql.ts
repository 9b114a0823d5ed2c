/**
 * GraphiQL at the GraphQL endpoint, without internet access: `GET /graphql` returns a small page, whose files are
 * served next to it. Opening the page needs no key, but each of its requests does: the user pastes it into the Headers
 * tab, and it is not stored.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { pagePolicy } from '../http/security-headers.js';
import { type GraphiqlFile, packedFiles } from './graphiql-files.js';

/** Serves the page to browsers; requests that prefer JSON or carry a key go on to GraphQL. */
export const graphiqlPage: RequestHandler = (request, response, next) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return next();
  response.vary('Accept');
  if (request.headers.authorization || request.accepts(['application/json', 'text/html']) !== 'text/html')
    return next();
  response.setHeader('Content-Security-Policy', graphiqlPolicy);
  response.type('html').send(page);
};

/** The page's files, such as `/graphiql/graphiql.js`: compressed, and revalidated by ETag. */
export function graphiqlFiles(): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/graphiql/start.js', (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache');
    response.type('js').send(start);
  });

  router.get('/graphiql/:name', async (request, response, next) => {
    const part = fileNames.get(request.params.name);
    const file = part && (await packedFiles()).get(part);
    if (!file) return next();
    response.type(part === 'css' ? 'css' : 'js');
    response.setHeader('Cache-Control', 'public, no-cache');
    response.setHeader('ETag', file.etag);
    response.vary('Accept-Encoding');
    if (request.fresh) return void response.status(304).end();
    if (!request.acceptsEncodings('gzip')) return void response.send(await promisify(gunzip)(file.gzip));
    response.setHeader('Content-Encoding', 'gzip');
    response.end(file.gzip);
  });
  return router;
}

const fileNames = new Map<string, GraphiqlFile>([
  ['graphiql.js', 'js'],
  ['graphiql.css', 'css'],
  ['editor.worker.js', 'editorWorkerService'],
  ['graphql.worker.js', 'graphqlWorker'],
  ['json.worker.js', 'jsonWorker'],
]);

// The editor creates style attributes and elements; scripts are still loaded only from files.
const graphiqlPolicy = pagePolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

// All URLs are relative, so that the page also works behind a proxy with a path prefix.
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Business Records · GraphiQL</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="graphiql/graphiql.css">
    <style>
      body { margin: 0; }
      #root { height: 100vh; height: 100dvh; }
    </style>
  </head>
  <body>
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
    <script src="graphiql/graphiql.js"></script>
    <script src="graphiql/start.js"></script>
  </body>
</html>
`;

const firstQuery = `# First paste your API key below, under
# "Headers", in place of YOUR_API_KEY.
# Then press Shift-Ctrl-R, or the arrows at the
# lower left: the page learns the schema.
# Ctrl-Enter, or the triangle, runs the query.

query LatestAssetRepairs {
  assetRepairs(first: 5) {
    totalCount
    nodes {
      id
      asset
      repairStatus
      repairCost
      createdAt
      consumedItems {
        itemCode
        consumedQuantity
      }
    }
  }
}
`;

const start = `const workers = { editorWorkerService: 'editor', graphql: 'graphql', json: 'json' };
self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => new URL('graphiql/' + workers[label] + '.worker.js', location.href).href,
};
// The operation in the address: behind #, where no server sees it, or behind ?.
const address = new URLSearchParams(location.hash.slice(1) || location.search);
const opened = address.has('query')
  ? { query: address.get('query'), variables: indented(address.get('variables')) }
  : {};
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), { ...opened, ...${JSON.stringify(
  {
    title: 'Business Records',
    logo: '',
    defaultQuery: firstQuery,
    headers: '{\n  "Authorization": "Bearer YOUR_API_KEY"\n}',
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false, // keeps the key out of the browser's storage
    useGETForQueries: false,
  },
  null,
  2,
)} });
`;
