/** What a feature is: a folder in `src/features/` whose `index.ts` says all that it adds to the gateway. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Arrival } from '../change/arrival.js';
import type { RequestContext } from '../change/context.js';
import type { Database } from '../database/open-database.js';
import type { Operation, Subscription } from '../graphql/operation/admission.js';
import type { SchemaPart } from '../graphql/schema-part.js';
import type { GatewayError } from '../model/errors/gateway-error.js';
import type { ApiDescription } from './api-description.js';
import type { Config } from './config/config.js';
import type { RequestState } from './http/request-state.js';

export interface Feature {
  /** The name of its folder. */
  name: string;
  /** Adds its commands to the command line. What a command does is loaded when it is asked for. */
  commands?(program: Command, surroundings: Surroundings): void;
  /** Loads what it adds to a gateway that serves, so that no other process has to hold it in memory. */
  served?(): Promise<ServedFeature>;
}

/** What a feature adds to a gateway that serves, and to commands that need the schema. */
export interface ServedFeature extends SchemaPart {
  /** Its settings that SIGHUP reads again, with the files that they name. */
  reloads?: {
    keys: readonly (keyof Config)[];
    /**
     * Reads them; `endpoints` are the names of all. What is returned puts them in force when no others are wrong, and
     * returns what the log tells of them. @throws ConfigError
     */
    read(config: Config, endpoints: readonly string[]): () => Readonly<Record<string, unknown>>;
  };
  /** Adds to the description of REST, in place. It is made anew after settings were reloaded. */
  describe?(description: ApiDescription): void;
  /** Begins to work for a gateway, and returns what it does with its calls. */
  join?(gateway: JoinedGateway): Joined;
}

/** What a feature may know of the gateway that it joins. */
export interface JoinedGateway {
  /** Contexts of requests have it too, so that resolvers find in a `WeakMap` what their feature keeps for their gateway. */
  key: object;
  schema: GraphQLSchema;
  database: Database;
  log: Logger;
  /** The endpoints of records. `text` is the GraphQL operation that does the same. */
  endpoints: readonly { name: string; method: string; path: string; readonly text: string }[];
}

/** What a feature does with the calls of a gateway. */
export interface Joined {
  /** Hears each call of an endpoint of REST, also if it only asks to be explained. @throws if it refuses the call */
  called?(endpoint: string, arrival: Arrival, call: EndpointCall): void;
  /** Why an endpoint is refused to a key from now on, if it is: its streams end. */
  refusal?(endpoint: string, arrival: Arrival): GatewayError | undefined;
  /** Hears each operation that a key has sent to GraphQL, and that was admitted. */
  admitted?(keyId: string, operation: Operation | Subscription, headers: IncomingHttpHeaders): void;
  /** Performs some writes in its own way; only one feature has it. */
  performer?: Performer | undefined;
  /** Writes what it holds in memory, when no more requests are answered. Called again if there were some nevertheless. */
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

/** The answer to the client. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
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
  visit: Pick<RequestState, 'headers'>;
  query: URLSearchParams;
}

/** Joins all features to a gateway. What several do with its calls is done by all of them, in their order. */
export function joinAll(
  features: readonly ServedFeature[],
  gateway: JoinedGateway,
): Required<Omit<Joined, 'performer'>> & Pick<Joined, 'performer'> {
  const all = features.flatMap((feature) => feature.join?.(gateway) ?? []);
  return {
    called: asOne(all.flatMap(({ called }) => called ?? [])),
    refusal: asOne(all.flatMap(({ refusal }) => refusal ?? [])),
    admitted: asOne(all.flatMap(({ admitted }) => admitted ?? [])),
    performer: all.find(({ performer }) => performer)?.performer,
    settle: async () => void (await Promise.all(all.map((each) => each.settle?.()))),
  };
}

/** Calls all, and returns what the first of them returns. One alone stands for itself, so that it adds no frame. */
function asOne<Given extends readonly unknown[], Returned>(
  hooks: readonly ((...given: Given) => Returned | undefined)[],
): (...given: Given) => Returned | undefined {
  const [only = () => undefined, ...others] = hooks;
  if (others.length === 0) return only;
  return (...given) => hooks.map((hook) => hook(...given)).find((returned) => returned !== undefined);
}

/** Loads all that these features add to a gateway that serves, in their order. */
export const servedFeatures = (features: readonly Feature[]): Promise<ServedFeature[]> =>
  Promise.all(features.flatMap(({ served }) => (served ? [served()] : [])));

/** The environment in which a command runs; tests pass another one. */
export interface Surroundings {
  /** All features of this gateway. */
  features: readonly Feature[];
  /** The program itself and its arguments, with which it starts further processes of its kind. */
  program: { path: string; words: readonly string[] };
  environment: Readonly<Record<string, string | undefined>>;
  /** The current folder, which may hold a file `.env`. */
  folder: string;
  /** The whole standard input. */
  input(): string;
  /** Standard input and standard output, for commands that read or write much. */
  inputStream(): Readable;
  outputStream(): Writable;
  /** Whether standard error is a terminal, on which a line can be written anew. */
  isTerminal: boolean;
  /** Whether standard output is a terminal, on which others may read what is printed. */
  printsToTerminal: boolean;
  /** Receives the standard output. */
  print(text: string): void;
  /** Receives what is written to standard error. */
  printError(text: string): void;
}
