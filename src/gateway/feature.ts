/** What a feature is: a folder in `src/features/` whose `index.ts` says all that it adds to the gateway. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Arrival, Identity, RequestContext } from '../change/context.js';
import type { Journal } from '../change/journal/journal.js';
import type { RequestMeter } from '../change/observation.js';
import type { PlanWriter } from '../change/plan.js';
import { Current } from '../common/kept.js';
import type { MaybePromise } from '../common/maybe-promise.js';
import type { Procedure } from '../common/work.js';
import type { Inspection } from '../database/inspection.js';
import type { Provider } from '../database/migrations/migration-history.js';
import type { Database, OpenedDatabase } from '../database/open-database.js';
import type { WatchStatement } from '../database/statement-log.js';
import type { Admission, Operation, Subscription } from '../graphql/operation/admission.js';
import type { DocumentOfFeature } from '../graphql/operation/outdated-documents.js';
import type { TrustedDocuments } from '../graphql/operation/trusted-documents.js';
import type { SchemaPart } from '../graphql/schema-part.js';
import type { Observer } from '../model/change.js';
import type { GatewayError } from '../model/errors/gateway-error.js';
import type { Resource } from '../model/resource.js';
import type { IdentifyToken } from './access/authenticator.js';
import type { BrowserIssuer } from './access/browser-issuer.js';
import { type CurrentGrants, noGrants } from './access/grants.js';
import type { ApiPart, Endpoint } from './api.js';
import type { RunRequest, Streams } from './call.js';
import type { Config, HasSettings } from './config/config.js';
import type { Execute, OperationResult } from './execution/executor.js';
import type { HttpAnswer } from './http/answer/send.js';
import type { Visit } from './http/visit.js';
import type { Places } from './limits/stream-places.js';

export interface Feature extends HasSettings {
  /** The name of its folder. */
  name: string;
  /** The features without which it is nothing. It may import what these show to others. */
  needs?: readonly string[];
  /** Adds its commands to the command line. What a command does is loaded when it is asked for. */
  commands?(program: Command, surroundings: Surroundings): void;
  /**
   * Loads what it adds to a gateway with this configuration that serves, so that no other process has to hold it in memory.
   * `measure` hears of its metrics.
   */
  served?(config: Config, measure: OnMeasured): Promise<ServedFeature>;
  /** Loads what it writes with each change of a command, which has no settings and does as the gateways on the database do. */
  writes?(): Promise<PlanWriter>;
  /** Loads what it keeps true in a database, for commands that check one. */
  checks?(): Promise<readonly Check[]>;
  /** Loads what it does in an SQLite database that was restored from a backup, before anybody uses it. */
  restored?(): Promise<() => Procedure<void>>;
  /** Begins what it does in the primary process of several workers. @throws what ends the start */
  primary?(primary: Primary): Promise<Started | undefined>;
}

/** What is true of a database that only gateways have written, and the queries that check it. */
export interface Check {
  /** As a sentence, such as `the numbers of lines have no gaps`. */
  holds: string;
  /** The violations: one text for each place, at most `mostPlaces` for each query. */
  problems(inspection: Inspection, resources: readonly Resource[]): Promise<string[]>;
  /** Derives the right values from the records of types of which it finds something; without it `--fix` does nothing. */
  mend?(url: string, resources: readonly Resource[]): Promise<void>;
}

/** What a feature adds to a gateway that serves, and to commands that need the schema. */
export interface ServedFeature extends SchemaPart, ApiPart, Starts {
  /** Its settings that SIGHUP reads again, with the files that they name. */
  reloads?: {
    keys: readonly string[];
    /**
     * Reads them; `endpoints` are the names of all. What is returned puts them in force when no others are wrong, and
     * returns what the log tells of them. @throws ConfigError
     */
    read(config: Config, endpoints: readonly string[]): () => Readonly<Record<string, unknown>>;
  };
  /** What callers get by their roles; only one feature says it, and without it a key with roles may do nothing. */
  grants?: CurrentGrants;
  /** Called in the transaction of each change, before its commit: the changed records are then read in any case. */
  change?: Observer;
  /** Writes what goes with each change, in its transaction. */
  write?: PlanWriter | undefined;
  /** Begins to work for a gateway, and returns what it does with its calls. */
  join?(gateway: JoinedGateway): Joined;
  metrics?: readonly Metric[];
  /** Says who sends a request with a token instead of an API key; only one feature does. */
  authenticate?: IdentifyToken;
  /** Where people sign in with a browser, at the moment; only one feature says it. */
  signIns?: Current<readonly BrowserIssuer[]>;
  /** Called before the database opens: what it returns is put around the work of the gateway. */
  watch?(starting: Starting): Promise<Watch | undefined>;
}

/** What a feature may know of the gateway that it joins. */
export interface JoinedGateway {
  /** Contexts of requests have it too, so that resolvers find in a `WeakMap` what their feature keeps for their gateway. */
  key: object;
  config: Config;
  schema: GraphQLSchema;
  database: Database;
  log: Logger;
  admission: Admission;
  journal: Journal | undefined;
  execute: Execute;
  grants: CurrentGrants;
  signIns: Current<readonly BrowserIssuer[]>;
  /** Does what a request asks for within its time, or refuses it while the gateway has too much to do. */
  work: RunRequest;
  /** Counts the streams of keys, in all workers. */
  places: Places;
  /** Milliseconds between two heartbeats of a stream; undefined for the usual ones. */
  heartbeatEvery: number | undefined;
  endpoints: readonly Endpoint[];
  /** Where it holds any, clients may not send operations of their own. */
  trustedDocuments: Current<TrustedDocuments | undefined>;
}

export interface Joined {
  /** Hears each call of an endpoint of REST, also if it only asks to be explained. @throws if it refuses the call */
  called?: ((endpoint: string, arrival: Arrival, call: EndpointCall) => void) | undefined;
  /** Why an endpoint is refused to a key from now on, if it is: its streams end. */
  refusal?: ((endpoint: string, arrival: Arrival) => GatewayError | undefined) | undefined;
  /** Hears each operation that a key has sent to GraphQL, and that was admitted. */
  admitted?: ((keyId: string, operation: Operation | Subscription, headers: IncomingHttpHeaders) => void) | undefined;
  /** Performs some writes in its own way; only one feature has it. */
  performer?: Performer | undefined;
  /** Streams the changes; only one feature has it, and without it there are no streams. */
  streams?: Streams | undefined;
  /** Answers what is below no path of the API, and whatever asks for a page, before the API is asked. */
  routes?: { first: RequestHandler; missing?: ErrorRequestHandler };
  /**
   * Writes what it holds in memory, when no more requests are answered; again if there were some nevertheless. It begins when all
   * have stopped, because one feature notes what another does until then; and it belongs to a gateway that no process has started too.
   */
  settle?(): Promise<void>;
}

/** Performs writes with a certain header in its own way, around their finished answers. */
export interface Performer {
  /** In lower case. */
  header: string;
  /** @throws if the header is malformed */
  check(headers: IncomingHttpHeaders): void;
  /** Returns the answer of `perform`, or another one. */
  perform(
    context: RequestContext,
    call: PerformedCall,
    perform: (context: RequestContext) => Promise<AttemptResult>,
  ): Promise<Answer>;
  /** The answer that it has kept to a call that cannot be performed any more. */
  answered(context: RequestContext, call: PerformedCall): Promise<Answer | undefined>;
}

export interface PerformedCall {
  headers: IncomingHttpHeaders;
  /** What identifies the request: surface, path, query, condition and body. */
  parts: readonly (string | Uint8Array)[];
}

export interface Answer extends HttpAnswer {
  /** The codes of its errors, for the log. */
  codes?: readonly string[];
}

/** An answer, and whether it reports a fault of the server, which may be gone at the next attempt. */
export interface AttemptResult {
  answer: Answer;
  isFault: boolean;
}

/** A request before its body is read. `visit` has the headers of the answer, alternating names and values, to add to. */
export interface EndpointCall {
  request: Pick<IncomingMessage, 'headers'>;
  visit: Pick<Visit, 'headers'>;
  query: URLSearchParams;
}

/** What all features do with the calls of a gateway. What none of them does is undefined, and no step of a call. */
export interface JoinedFeatures
  extends Pick<Joined, 'called' | 'refusal' | 'admitted' | 'performer' | 'streams'>,
    Required<Pick<Joined, 'settle'>> {
  routes: readonly NonNullable<Joined['routes']>[];
}

/** What callers get by their roles. @throws if several features say it */
export const grantsOf = (features: readonly ServedFeature[]): CurrentGrants =>
  only('grants', features) ?? Current.of(noGrants);

/** Joins all features to a gateway. What several do with its calls is done by all of them, in their order. */
export function joinAll(features: readonly ServedFeature[], gateway: JoinedGateway): JoinedFeatures {
  const all = features.flatMap((feature) => feature.join?.(gateway) ?? []);
  return {
    called: asOne(all.flatMap(({ called }) => called ?? [])),
    refusal: asOne(all.flatMap(({ refusal }) => refusal ?? [])),
    admitted: asOne(all.flatMap(({ admitted }) => admitted ?? [])),
    performer: only('performer', all),
    streams: only('streams', all),
    routes: all.flatMap(({ routes }) => routes ?? []),
    settle: async () => void (await Promise.all(all.map((each) => each.settle?.()))),
  };
}

/** What the only feature has that may have it. @throws if several have, of which one would be left out silently */
export function only<Part extends string, Has extends { [each in Part]?: unknown }>(
  part: Part,
  all: readonly Has[],
): Has[Part] | undefined {
  const [one, ...others] = all.filter((each) => each[part]);
  if (others.length > 0) throw new Error(`Several features have \`${part}\`, which only one may have`);
  return one?.[part];
}

/** Calls all, and returns what the first of them returns; undefined where there is none. One alone stands for itself, so that it adds no frame. */
function asOne<Given extends readonly unknown[], Returned>(
  hooks: readonly ((...given: Given) => Returned | undefined)[],
): ((...given: Given) => Returned | undefined) | undefined {
  const [only, ...others] = hooks;
  if (others.length === 0) return only;
  return (...given) => hooks.map((hook) => hook(...given)).find((returned) => returned !== undefined);
}

export interface Starts {
  /** Begins what runs as long as the gateway: before it listens, one feature after another. @throws what ends the start */
  start?(running: Running): MaybePromise<Started | undefined>;
}

/** What is put around the work of a gateway. Who leaves a part out adds nothing to the way of a request. */
export interface Watch extends Starts {
  statements?: ((provider: Provider) => WatchStatement) | undefined;
  meter?: ((request: IncomingMessage) => RequestMeter) | undefined;
  admission?: ((admission: Admission) => Admission) | undefined;
  execute?: ((execute: Execute) => Execute) | undefined;
  measure?: OnMeasured | undefined;
}

/** A metric of a feature, in the words of Prometheus: a counter, or a histogram of seconds. */
export interface Metric {
  name: string;
  help: string;
  /** By default a counter. */
  kind?: 'counter' | 'seconds';
  labels?: readonly string[];
}

/** Adds to a counter, or puts a value into a histogram. */
export type OnMeasured = (metric: Metric, value: number, labels?: Record<string, string | number>) => void;

export interface Starting {
  config: Config;
  log: Logger;
  /** The number of this worker; undefined in a single process. */
  worker?: number | undefined;
  /** The names of REST's operations. */
  operations: readonly string[];
  trustedDocuments: Current<TrustedDocuments | undefined>;
  /** Those of all features. */
  metrics: readonly Metric[];
}

/** A gateway whose database is open, and that is going to listen. */
export interface Running extends Starting {
  resources: readonly Resource[];
  database: OpenedDatabase;
  journal: Journal;
  gateway: RunningGateway;
  /** Whether this process does what one of several processes does. */
  sweeps: boolean;
}

export interface RunningGateway {
  /** Executes an operation that no request has brought, with the scopes of a key. */
  operate(given: OwnOperation): MaybePromise<OperationResult>;
  readings(): { streams: number; outgoingBytes: number };
  grants: CurrentGrants;
}

export interface OwnOperation {
  query: string;
  variables: Record<string, unknown>;
  identity: Pick<Identity, 'keyId' | 'name' | 'scopes' | 'roles' | 'rights'>;
  /** Who executes it, where uses are counted. */
  agent: string;
  /** The largest answer, in bytes. */
  answerLimit: number;
}

/** The process that starts workers and answers no requests. */
export interface Primary {
  config: Config;
  log: Logger;
  crew: {
    wanted: number;
    readonly serving: readonly { report(name: string): Promise<string | undefined> }[];
    /** How many have ended and were replaced. */
    readonly replaced: number;
  };
}

export interface Started {
  /** Addresses to print when the gateway serves, by what is there. */
  announces?: Readonly<Record<string, string>>;
  /** What the primary process may ask this worker for, by name. */
  reports?: Readonly<Record<string, () => Promise<string>>>;
  /** What it stores that was written for a schema: the start names what is not valid any more. */
  stored?(): Promise<readonly DocumentOfFeature[]>;
  /** Called when no more requests are answered: ends what works by itself. `settle` follows, then the database closes. */
  stop?(): MaybePromise<void>;
  /** Called when the database begins to close; `closed` resolves when that is over. The process ends after it. */
  end?(closed: Promise<unknown>): MaybePromise<void>;
}

/** Loads all that these features add to a gateway that serves, in their order. */
export const servedFeatures = (
  features: readonly Feature[],
  config: Config,
  measure: OnMeasured = () => {},
): Promise<ServedFeature[]> => Promise.all(features.flatMap(({ served }) => served?.(config, measure) ?? []));

/** The environment in which a command runs; tests pass another one. */
export interface Surroundings {
  features: readonly Feature[];
  /** The program itself and its arguments, with which it starts further processes of its kind. */
  program: { path: string; words: readonly string[] };
  environment: Readonly<Record<string, string | undefined>>;
  /** The current folder, which may hold a file `.env`. */
  folder: string;
  input(): string;
  /** Standard input and standard output, for commands that read or write much. */
  inputStream(): Readable;
  outputStream(): Writable;
  /** Whether standard error is a terminal, on which a line can be written anew. */
  isTerminal: boolean;
  /** Whether standard output is a terminal, on which others may read what is printed. */
  printsToTerminal: boolean;
  print(text: string): void;
  printError(text: string): void;
}
