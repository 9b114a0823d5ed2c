/** What becomes known of a request while it is answered, for its line in the log. It holds no values of the request. */
export interface Observation {
  /** The operation's name, cut to a bounded length; undefined where it has none. */
  operation?: string | undefined;
  kind?: 'query' | 'mutation';
  way?: Way;
  /** The codes of the errors in the answer, each once. */
  errors?: readonly string[];
}

/** How an operation was answered: by compiled SQL, by the resolvers, from the schema alone, or from a stored answer. */
export type Way = 'sql' | 'resolvers' | 'introspection' | 'replay';

const mostCodes = 5;
const longestName = 100;

/** Notes which operation is asked for. */
export function noteOperation(
  observation: Observation | undefined,
  { name, kind }: { name: string | undefined; kind: 'query' | 'mutation' },
): void {
  if (!observation) return;
  observation.operation = name?.slice(0, longestName);
  observation.kind = kind;
}

/** Notes how it is answered. */
export function noteWay(observation: Observation | undefined, way: Way): void {
  if (observation) observation.way = way;
}

/** Notes the codes of errors, each once and no more than a few. */
export function noteErrors(observation: Observation | undefined, codes: Iterable<unknown>): void {
  if (!observation) return;
  const all = new Set<string>();
  for (const code of codes) if (typeof code === 'string') all.add(code);
  if (all.size > 0) observation.errors = [...all].slice(0, mostCodes);
}
