/**
 * The pages for people: what runs here, the map of the record types, the records, GraphiQL. They need no key, and show
 * nothing of a record without one: the app asks the public API with the key of the signed-in user.
 */
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Current } from '../../common/current.js';
import { statusOf } from '../../gateway/http/answer/error-status.js';
import { pagePolicy } from '../../gateway/http/answer/security-headers.js';
import { knownError } from '../../graphql/shown-errors/show-error.js';
import type { Tool } from './bundle-app.js';
import { html, toolPolicy } from './html.js';
import { introspectionOf } from './introspection.js';
import { type AboutParts, aboutOf, recordsOf } from './make-about.js';
import { type Packed, packedJson, sendPageFile } from './packed.js';
import { pageFiles } from './page-files.js';
import { waysIn } from './ways-in.js';

export interface Pages {
  /** The pages and their files. */
  router: Router;
  /** GraphiQL at the GraphQL endpoint, for browsers; requests that prefer JSON or carry a key go on to GraphQL. */
  graphiql: RequestHandler;
  /** Shows a browser, in place of an answer for programs, that there is nothing at the address it opened. */
  missing: ErrorRequestHandler;
}

export interface PageParts extends Omit<AboutParts, 'trustedDocuments'> {
  /** Where it holds any, clients may not send operations of their own. */
  trustedDocuments: Current<object | undefined>;
  /** The setting PUBLIC_URL. */
  publicUrl?: string | undefined;
}

export function createPages({ trustedDocuments, publicUrl, ...parts }: PageParts): Pages {
  const router = Router({ caseSensitive: true, strict: true });
  const about = trustedDocuments.derive((trusted) => packedJson(aboutOf({ ...parts, trustedDocuments: trusted })));
  const introspection = lazily(() => packedJson(introspectionOf(parts.schema, recordsOf(parts.endpoints))));

  router.get('/', async (request, response) => {
    if (wantsPage(request, response)) await sendPage(request, response);
    else response.json(waysIn(request, publicUrl));
  });
  router.get(['/docs/usage', '/schema', '/schema/:type', '/records', '/records/:type', '/records/:type/:id'], page);
  router.get('/docs', async (request, response, next) => {
    if (wantsPage(request, response)) await sendPage(request, response, 'scalar');
    else next();
  });
  router.get('/pages/about.json', (request, response) => sendPageFile(request, response, about.value));
  router.get('/pages/introspection.json', async (request, response, next) => {
    if (!trustedDocuments.value) await sendPageFile(request, response, introspection());
    else next();
  });
  router.get('/pages/:name', async (request, response, next) => {
    const file = (await pageFiles()).find(request.params.name);
    if (file) await sendPageFile(request, response, file);
    else next();
  });
  const graphiql: RequestHandler = async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (!wantsPage(request, response) || request.headers.authorization) return next();
    await sendPage(request, response, trustedDocuments.value ? undefined : 'graphiql');
  };
  return { router, graphiql, missing };
}

const page: RequestHandler = async (request, response, next) => {
  if (wantsPage(request, response)) await sendPage(request, response);
  else next();
};

const missing: ErrorRequestHandler = async (error, request, response, next) => {
  const isMissing = error instanceof URIError || statusOf(knownError(error)) === 404;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isMissing && isRead && !response.headersSent && wantsPage(request, response)) {
    response.status(404);
    await sendPage(request, response);
  } else next(error);
};

function wantsPage(request: Request, response: Response): boolean {
  response.vary('Accept');
  return request.accepts(['application/json', 'text/html']) === 'text/html';
}

async function sendPage(request: Request, response: Response, tool?: Tool): Promise<void> {
  const depth = request.path.split('/').length - 2;
  response.setHeader('Content-Security-Policy', tool ? toolPolicy : pagePolicy);
  response.setHeader('Cache-Control', 'no-cache');
  response.type('html').send(html(await pageFiles(), depth, tool));
}

function lazily(make: () => Packed): () => Packed {
  let made: Packed | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
