/** What the log line of a request reports of its operation. Contains no values of the request. */
export interface Observation {
  /** The operation's name, shortened; undefined if it has none. */
  operation?: string | undefined;
  kind?: OperationKind;
  /** How it was answered: by compiled SQL, by resolvers, from the schema alone, or with a stored answer. */
  way?: 'sql' | 'resolvers' | 'introspection' | 'replay';
  /** The distinct codes of the errors in the answer. */
  errors?: readonly string[];
  /** Why the whole request was refused, such as `rate_limited`. */
  reason?: string;
}

/** A request that has ended, as it is measured. Contains no values of the request. */
export interface EndedRequest {
  method: string | undefined;
  /** Without the query. */
  path: string;
  status: number;
  /** From its headers to the end of its answer. */
  milliseconds: number;
  requestId: string;
  /** The public id of the API key; undefined if there was no valid one. */
  keyId: string | undefined;
  /** Whether the client has gone before the end. */
  isAborted: boolean;
  observation: Observation;
}

export interface RequestMeter {
  /** Runs the work for the request; the SQL statements that follow from it are counted for it. */
  run(work: () => void): void;
  /** Called once, at its end. */
  end(request: EndedRequest): void;
}

export type OperationKind = 'query' | 'mutation' | 'subscription';

const mostCodes = 5;

/** Records the distinct codes of errors beside those that are recorded, at most `mostCodes`. */
export function noteErrors(observation: Observation | undefined, codes: Iterable<unknown>): void {
  if (!observation) return;
  const all = new Set(observation.errors);
  for (const code of codes) if (typeof code === 'string') all.add(code);
  if (all.size > 0) observation.errors = [...all].slice(0, mostCodes);
}

/** Records why a whole request was refused. */
export function noteRefusal(
  observation: Observation | undefined,
  { code, details: { reason } }: { code: string; details: { reason: string } },
): void {
  if (!observation) return;
  noteErrors(observation, [code]);
  observation.reason = reason;
}

/** Forgets the errors of an attempt that is undone and repeated. */
export function forgetErrors(observation: Observation | undefined): void {
  if (!observation) return;
  delete observation.errors;
  delete observation.reason;
}
