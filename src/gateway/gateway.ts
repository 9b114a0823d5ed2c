import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { ChangeHandlers } from '../change/context.js';
import type { Journal } from '../change/journal/journal.js';
import { rules as ownRules } from '../change/rules/index.js';
import { Current } from '../common/kept.js';
import { Seal } from '../common/seal.js';
import type { OpenedDatabase } from '../database/open-database.js';
import { createAdmission } from '../graphql/operation/admission.js';
import type { TrustedDocuments } from '../graphql/operation/trusted-documents.js';
import type { Observer } from '../model/change.js';
import { errors } from '../model/errors/errors.js';
import type { Resource } from '../model/resource.js';
import { grantsOfGateways } from './access/grants.js';
import type { Endpoint } from './api.js';
import { arrivalOf, Calls, type Surface } from './call.js';
import type { Config } from './config/config.js';
import { createExecution, type ExecutionParts, executeInTurn, SlowOperations } from './execution/executor.js';
import { plugins } from './execution/resolvers.js';
import type { WayOf } from './execution/way.js';
import {
  grantsOf,
  type JoinedFeatures,
  type JoinedGateway,
  joinAll,
  only,
  type RunningGateway,
  type ServedFeature,
  type Watch,
} from './feature.js';
import { send, waitingBytes } from './http/answer/send.js';
import { GraphqlSurface, graphqlOptions } from './http/graphql.js';
import { health } from './http/health.js';
import { createCors, createListener } from './http/server.js';
import { clientAddresses, visitOf } from './http/visit.js';
import type { AcquireLease } from './limits/rate-limit.js';
import { Places, type SharedPlaces } from './limits/stream-places.js';
import { meterOf } from './start/start-features.js';

/** All parts of the gateway as one request listener. It opens no port, and does not own the database. */
export interface Gateway extends RunningGateway {
  app: RequestListener;
  /**
   * From now on every answer closes its connection, so that clients connect elsewhere, and `/readyz` answers 503 unless
   * `isReplaced` says that others serve at the same address.
   */
  drain(isReplaced?: () => boolean): void;
  /** Writes what features hold in memory, when no more requests are answered. */
  settle(): Promise<void>;
}

/** Makes the interface of REST, with the endpoints of these features; `rest/` has it. */
export type CreateApi = (resources: readonly Resource[], features: readonly ServedFeature[]) => Api;

export interface Api {
  endpoints: readonly Endpoint[];
  serve(parts: ApiParts): ServedApi;
}

export interface ApiParts
  extends Pick<JoinedGateway, 'schema' | 'admission' | 'execute' | 'config' | 'trustedDocuments'> {
  wayOf: WayOf;
  joined: Pick<JoinedFeatures, 'called' | 'refusal' | 'performer' | 'streams'>;
  features: readonly ServedFeature[];
  /** Replaced whenever settings were reloaded, of which the features may show some. */
  inForce: Current<unknown>;
}

export interface ServedApi {
  surface: Surface<unknown>;
  /** The descriptions that tools read. */
  files: RequestHandler;
  /** Answers any error of the handlers of Express. */
  answerFault: ErrorRequestHandler;
}

export interface SharedCounts {
  /** Counts requests for the rate limit, where the database does not. */
  lease: AcquireLease;
  places: SharedPlaces;
}

export interface GatewayParts {
  /** Made by `createSchema`. */
  schema: GraphQLSchema;
  api: Api;
  database: OpenedDatabase;
  log: Logger;
  config: Config;
  /** Made by `openJournal`; without it no change is written down, and there are no webhooks. */
  journal?: Journal | undefined;
  /** Rules by record type; by default the gateway's own. */
  rules?: ChangeHandlers['rules'] | undefined;
  /** Called with the changes of each transaction, before its commit. */
  onChange?: readonly Observer[] | undefined;
  compiled?: ExecutionParts['compiled'];
  features?: readonly ServedFeature[];
  /** Replaced whenever settings were reloaded. */
  inForce?: Current<unknown>;
  /** If it holds any, only these GraphQL operations are executed. */
  trustedDocuments?: Current<TrustedDocuments | undefined>;
  /** Milliseconds between two heartbeats of a stream. */
  heartbeatEvery?: number;
  /** Whether the process is overloaded; by default the delay of its event loop shows it. */
  isLate?: () => boolean;
  /** Counts what has a limit for all workers; without it this process counts alone. */
  shared?: SharedCounts | undefined;
  watches?: readonly Watch[];
}

export function createGateway({
  schema,
  api,
  database,
  log,
  config,
  journal,
  rules = ownRules,
  onChange = [],
  compiled = true,
  features = [],
  inForce = Current.of(undefined),
  trustedDocuments = Current.of(undefined),
  heartbeatEvery,
  isLate,
  shared,
  watches = [],
}: GatewayParts): Gateway {
  // While draining, every answer closes its connection, so that no client sends another request on it.
  const drain = { hasBegun: false, isOver: () => false };
  const changes = {
    rules,
    observers: [...onChange, ...features.flatMap(({ change }) => change ?? [])],
    locksSubmitted: config.lockSubmitted,
    writers: features.flatMap(({ write }) => write ?? []),
    journal: journal ? journal.isKept || ('if on' as const) : false,
  };
  const admission = watches.reduceRight(
    (inner, watch) => watch.admission?.(inner) ?? inner,
    createAdmission(schema, { costLimit: config.costLimit, trustedDocuments }),
  );
  const key = {};
  const places = new Places(config, shared?.places);
  const { answerLimit, publicUrl } = config;
  const limits = {
    cost: config.costLimit,
    streams: journal?.isKept ? config.streamsPerKey : 0,
    openStreams: (keyId: string) => places.takenBy(keyId),
  };
  const grants = grantsOf(features);
  grantsOfGateways.set(key, grants);
  const signIns = only('signIns', features) ?? Current.of([]);
  const common = {
    database,
    changes,
    gateway: key,
    limits,
    publicUrl,
    grants,
    authenticate: only('authenticate', features),
  };
  const calls = new Calls(common, config, log, shared?.lease, isLate);
  const { work } = calls;
  const { provider } = database;
  const { execute: executor, wayOf } = createExecution({ schema, plugins, provider, compiled, answerLimit });
  const watched = watches.reduceRight((inner, watch) => watch.execute?.(inner) ?? inner, executor);
  const execute = executeInTurn(watched, new SlowOperations(config.slowOperation, wayOf, database));
  const shown = { key, config, schema, database, journal, log, admission, execute, work, places, trustedDocuments };
  const joined = joinAll(features, { ...{ ...shown, heartbeatEvery, endpoints: api.endpoints, grants, signIns } });
  const graphql = new GraphqlSurface({ admission, execute, ...joined });
  const { surface: rest, files, answerFault } = api.serve({ ...shown, wayOf, joined, features, inForce });

  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  app.set('query parser', false);
  app.use(health(database, () => drain.isOver()));
  for (const { first } of joined.routes) app.use(first);
  app.use(files);
  app.options('/graphql', (request) => send(visitOf(request), graphqlOptions));
  app.all('/graphql', (request) => calls.call(graphql, visitOf(request)));
  app.all('/api', (request) => calls.call(rest, visitOf(request)));
  app.use(() => {
    throw errors.badRequest('route_not_found');
  });
  for (const { missing } of joined.routes) if (missing) app.use(missing);
  app.use(answerFault);

  const visited = { log, drain, clientOf: clientAddresses(config.trustedProxies), measure: meterOf(watches) };
  const cors = createCors(config.corsOrigins);
  return {
    app: createListener(visited, { calls, cors, rest, graphql, others: app }),
    drain: (isReplaced = () => false) => {
      drain.hasBegun = true;
      drain.isOver = () => !isReplaced();
      joined.streams?.close();
    },
    settle: joined.settle,
    grants,
    readings: () => ({ streams: joined.streams?.size ?? 0, outgoingBytes: waitingBytes() }),
    operate: ({ query, variables, identity: { keyId, name, scopes, roles, rights }, agent, answerLimit: most }) => {
      const requestId = randomUUID();
      // No answer is stored for a replay, so nothing that is sealed has to be opened again.
      const identity = { keyId, name, scopes, roles, rights, seal: new Seal(requestId) };
      // Bounded in time, and refused while the gateway has too much to do.
      return work(arrivalOf({ database, changes, log, identity, requestId }), (context) => {
        const operation = admission.fromRequest({ query, variables }, false);
        joined.admitted?.(keyId, operation, { 'user-agent': agent });
        return execute(operation, { ...context, answerLimit: most });
      });
    },
  };
}
