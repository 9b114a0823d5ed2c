/**
 * The interface of REST, as far as the gateway and its features know it: endpoints and their parameters as data, and the
 * description of them as OpenAPI. `rest/` makes the endpoints of records, serves all, and describes all.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { DocumentNode } from 'graphql';
import type { Identity } from '../change/context.js';
import type { restRows } from '../model/errors/error-rows.js';
import type { ErrorTable, GatewayError } from '../model/errors/gateway-error.js';
import type { Resource } from '../model/resource.js';
import type { Scope } from '../model/scopes.js';
import type { StreamFormat } from './call.js';

export interface ApiPart {
  /** Errors of its own with which REST may answer. */
  errors?: ApiErrors;
  /** One or several endpoints, which are served, described and counted like those of records. */
  endpoints?(resources: readonly Resource[]): OwnEndpoint | readonly OwnEndpoint[];
  /** What it adds to the endpoints of records: one of their history, and parameters by their names. */
  ofRecords?: readonly ('history' | 'as_of' | 'Idempotency-Key')[];
  /** Adds to the description of REST, in place. It is made anew after settings were reloaded. */
  describe?(description: ApiDescription): void;
}

/** Errors of a feature, as the description lists them. */
export interface ApiErrors {
  /** The reason of the gateway behind which they are listed. */
  after: keyof typeof restRows;
  rows: ErrorTable;
  /** One with a status of which no other error is an example. */
  example?: GatewayError;
}

export interface Endpoint {
  /** Such as `AssetRepairSubmit`; also the name of its GraphQL operation. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Such as `/api/assets/asset-repair/{id}/submit`. */
  path: string;
  parameters: readonly Parameter[];
  /** The scopes that a key needs, whatever the request holds. */
  scopes: readonly Scope[];
  status: 200 | 201;
  /** The GraphQL operation. Its only field is answered as the body. */
  readonly document: DocumentNode;
  readonly text: string;
  /** Makes the body of the value of that field, where aliases cannot give it its form. */
  bodyOf?(value: Readonly<Record<string, unknown>>): object;
  /** Undefined for an endpoint that no record type has. */
  resource?: Resource | undefined;
  operation?: string;
}

/** An endpoint that no record type has, as a feature adds it: a GET, which answers what its operation does. */
export interface OwnEndpoint
  extends Pick<Endpoint, 'name' | 'path' | 'bodyOf'>,
    Partial<Pick<Endpoint, 'parameters' | 'scopes'>> {
  /** The GraphQL operation of its name. */
  query: string;
  /** Where the operation is a subscription. */
  stream?: EndpointStream;
  /** Refuses what the operation would, if it is only explained. @throws FORBIDDEN */
  requireAllowed?(identity: Identity, variables: Readonly<Record<string, unknown>>): void;
  summary: string;
  description?: string;
  answer: { description: string; schema: Schema };
  /** What the answer refers to. */
  schemas?: Readonly<Record<string, Schema>>;
}

/** How the events of a subscription are asked for and sent. */
export interface EndpointStream {
  format: StreamFormat;
  /** The variables, and the position after which the client goes on. @throws BAD_USER_INPUT, also for unknown parameters */
  read(
    headers: IncomingHttpHeaders,
    query: URLSearchParams,
  ): { variables: Record<string, unknown>; after: number | undefined };
}

/** A parameter of a request: in its path, its query or its headers. */
export interface Parameter {
  name: string;
  /** The name under which the description has it once, for all endpoints that have it. */
  shared?: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  /** False for a list whose items are separated by commas. */
  explode?: false;
  /** Markdown. */
  description: string;
  schema: Schema;
  /** Tools that try calls send it, so headers have none: it would act. */
  example?: string | number | readonly string[];
  /** The variable of the GraphQL operation that gets the value; undefined for one that HTTP itself gives a meaning. */
  variable?: string;
  /**
   * Parses the text in the request. A `problem` is the end of a sentence that begins with the name of the parameter.
   */
  read?(text: string): { value: unknown } | { problem: string };
}

/** A JSON Schema (2020-12), of the keywords that the gateway uses. */
export interface Schema {
  $ref?: string;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  type?: string | readonly string[];
  title?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  maxItems?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  /** Values that other systems use. Any other value is accepted too. */
  'x-known-values'?: readonly string[];
  /** The events of a stream by name, with the schemas of their `data`. OpenAPI 3.1 has no place for them. */
  'x-events'?: Readonly<Record<string, { description: string; data: Schema }>>;
  /** Whether the gateway adds this to what the legacy documentation lists. */
  'x-extension'?: true;
}

/** The OpenAPI description, as far as features add to it. */
export interface ApiDescription {
  /** By path and method in lower case. */
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: object;
  components: {
    schemas: Record<string, Schema>;
    headers: Readonly<Record<string, object>>;
    responses: Readonly<Record<string, ApiResponse>>;
  };
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: true;
  responses: Record<string, ApiResponse | Reference>;
}

export interface ApiResponse {
  description: string;
  headers?: Record<string, Reference>;
}

export interface Reference {
  $ref: string;
}
