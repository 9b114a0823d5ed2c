import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { toRestError } from '../rest/errors.js';
import { createRestHandler, type Execute } from '../rest/handle.js';
import { oncePerKey } from '../rest/once.js';
import { restRouter } from '../rest/router.js';
import type { Database } from './database/open.js';
import { errors } from './errors.js';
import { createDrain } from './http/drain.js';
import { createDoor } from './http/enter.js';
import { graphqlEndpoint } from './http/graphql.js';
import { health } from './http/health.js';
import { observe, visitOf } from './http/observe.js';
import { send } from './http/send.js';
import { createGraphql, type Yoga } from './http/yoga.js';
import { graphiqlFiles, graphiqlPage } from './pages/graphiql.js';
import { landing } from './pages/landing.js';
import { plugins, schema } from './schema/index.js';
import { knownError } from './schema/show-error.js';

/** All parts of the gateway on one Express app. It has no port and no process, and does not own the database. */
export interface Gateway {
  app: Express;
  /** From now on `/readyz` says no and every answer closes its connection, so that clients go elsewhere. */
  drain(): void;
}

export function createGateway({ database, log }: { database: Database; log: Logger }): Gateway {
  const drain = createDrain();
  const enter = createDoor(database, log);
  const yoga = createGraphql(schema, plugins);

  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  app.set('query parser', false);
  app.use(observe(log));
  app.use(drain.handler);
  app.use(health(database, drain.hasBegun));
  app.use(landing());
  app.use(graphiqlFiles());
  app.all('/graphql', graphiqlPage, graphqlEndpoint(yoga, enter));
  app.use('/api', restRouter(oncePerKey(createRestHandler({ schema, execute: executeIn(yoga) })), enter));
  app.use(refuseUnknown);
  app.use(answerFault);

  return { app, drain: drain.begin };
}

/** Runs a document in the process, through the same plugins, masking and context as `/graphql`. */
function executeIn(yoga: Yoga): Execute {
  return async (document, variableValues, context) => {
    const { schema, execute, contextFactory } = yoga.getEnveloped({ ...context });
    return execute({ schema, document, variableValues, contextValue: await contextFactory() });
  };
}

const refuseUnknown: RequestHandler = () => {
  throw errors.badRequest('route_not_found');
};

/** Whatever was thrown on the way, in the REST shape; a fault of ours is logged under the request id, never shown. */
const answerFault: ErrorRequestHandler = (error, request, response, _next) => {
  if (response.headersSent) return void response.destroy();
  // Express cannot decode the path: then it is no path of ours.
  const known = error instanceof URIError ? errors.badRequest('route_not_found') : knownError(error);
  const { log, requestId } = visitOf(request);
  if (known.cause !== undefined) log.error({ err: known.cause }, known.message);
  send(response, toRestError(known, { requestId, accept: request.headers.accept }));
};
