import { isObject } from '../src/common/is-object.js';
import type { Resource } from '../src/model/resource.js';

/** Characters up to which browsers open an address everywhere. */
const longestLink = 30_000;

/**
 * The address at which GraphiQL opens with the operation. Both are in the fragment, which browsers send to no server, so
 * that values appear in no log on the way. Credentials are left out even there: addresses are kept and passed on. Null
 * where the address would be too long.
 */
export function graphiqlLink(
  document: string,
  variables: Readonly<Record<string, unknown>>,
  { fields }: Pick<Resource, 'fields'>,
): string | null {
  const { input, ...others } = variables;
  const secrets = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name));
  const shown = isObject(input)
    ? { ...others, input: Object.fromEntries(Object.entries(input).filter(([name]) => !secrets.has(name))) }
    : variables;
  const link = `/graphql#${new URLSearchParams({ query: document, variables: JSON.stringify(shown) })}`;
  return link.length > longestLink ? null : link;
}
