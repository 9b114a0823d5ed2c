/** One operation on one field, written in several forms that mean the same. Some are compiled, others are not. */

/** A field with its arguments, each with the type of its variable. */
export interface Asked {
  kind: 'query' | 'mutation';
  field: string;
  arguments: Record<string, { type: string; value: unknown }>;
  /** The selection of the field; none for a scalar. */
  shown: string;
  /** Its type, for a fragment. */
  of: string;
}

export interface Written {
  query: string;
  variables: Record<string, unknown>;
}

export const forms: Record<string, (asked: Asked) => Written> = {
  'with variables': (asked) => operation(asked, (field) => field),
  'with a directive': (asked) => operation(asked, (field, body) => `${field} @include(if: true) ${body}`),
  'with a condition': (asked) => {
    const { query, variables } = operation(
      asked,
      (field, body) => `${field} @skip(if: $leftOut) ${body}`,
      '$leftOut: Boolean!',
    );
    return { query, variables: { ...variables, leftOut: false } };
  },
  'with an alias more': (asked) => operation(asked, (field, body) => `${field} ${body} more: __typename`),
  'with a fragment': (asked) => {
    const { query, variables } = operation(asked, (field) => `${field} { ...Shown }`);
    return { query: `${query} fragment Shown on ${asked.of} { ${asked.shown} }`, variables };
  },
  'with literals': ({ kind, field, arguments: given, shown }) => {
    const pairs = Object.entries(given).map(([name, { value }]) => `${name}: ${literalOf(value)}`);
    return { query: `${kind} { record: ${field}${inBrackets(pairs)} { ${shown} } }`, variables: {} };
  },
  'with defaults': (asked) => {
    const declared = Object.entries(asked.arguments).map(
      ([name, { type, value }]) =>
        `$${name}: ${type.replace(/!$/, '')}${value === undefined ? '' : ` = ${literalOf(value)}`}`,
    );
    const { query } = operation(asked, (field, body) => `${field} ${body}`);
    return { query: query.replace(/^(query|mutation) \(.*?\) \{/, `$1 ${inBrackets(declared)} {`), variables: {} };
  },
};

/** `name: $name` for each argument; `write` writes the field and its selection. */
function operation(
  { kind, field, arguments: given, shown }: Asked,
  write: (field: string, body: string) => string,
  ...more: string[]
): Written {
  const declared = [...Object.entries(given).map(([name, { type }]) => `$${name}: ${type}`), ...more];
  const called = `record: ${field}${inBrackets(Object.keys(given).map((name) => `${name}: $${name}`))}`;
  const body = `{ ${shown} }`;
  const written = write(called, body);
  return {
    query: `${kind} ${inBrackets(declared)} { ${written === called ? `${called} ${body}` : written} }`,
    variables: Object.fromEntries(Object.entries(given).map(([name, { value }]) => [name, value])),
  };
}

const inBrackets = (parts: readonly string[]): string => (parts.length > 0 ? `(${parts.join(', ')})` : '');

/** Texts in capitals are values of enums. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value === 'string' && /^[A-Z][A-Z_]+$/.test(value)) return value;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${literalOf(inner)}`)
    .join(', ')} }`;
}
