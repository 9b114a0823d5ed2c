import type { GraphQLSchema } from 'graphql';
import type { Endpoint } from '../../gateway/api.js';
import type { Deprecations } from './deprecations.js';
import { deprecatedParts } from './note-uses.js';

/** What clients may call, and which of it is deprecated, for the reports on usage. */
export interface UsageHost {
  /** An endpoint of REST, or a deprecated part of the schema; undefined where there is none of this name any more. */
  find(name: string): Callable | undefined;
  /** What is deprecated, by name. */
  deprecated: readonly Callable[];
}

/** An endpoint of REST, or a deprecated part of the schema. */
export interface Callable {
  surface: 'rest' | 'graphql';
  /** `AssetRepairList`, or a coordinate such as `AssetRepair.title`. */
  name: string;
  /** `GET /api/assets/asset-repair`, or the coordinate again. */
  call: string;
  isDeprecated: boolean;
  /** For endpoints: since when it is deprecated, when it ends, and where this is explained. */
  since?: Date | undefined;
  sunset?: Date | undefined;
  documentation?: string | undefined;
  /** The GraphQL operation that does the same as an endpoint, or the reason for which a part of the schema is deprecated. */
  replacement(): string | undefined;
}

/** What usage reports need to know: the endpoints, the deprecated parts of the schema, and the replacement of each. */
export function usageHost(
  endpoints: readonly Endpoint[],
  schema: GraphQLSchema,
  deprecations: Deprecations,
): UsageHost {
  const all = new Map<string, Callable>();
  for (const endpoint of endpoints) {
    const { name, method, path } = endpoint;
    let made: string | undefined;
    // Kept, because a report asks for it once for each key that calls the endpoint.
    const replacement = () => {
      made ??= endpoint.text;
      return made;
    };
    const { since, sunset, documentation } = deprecations.get(name) ?? {};
    const isDeprecated = since !== undefined;
    const call = `${method} ${path}`;
    all.set(name, { surface: 'rest', name, call, isDeprecated, since, sunset, documentation, replacement });
  }
  for (const [name, reason] of deprecatedParts(schema)) {
    all.set(name, { surface: 'graphql', name, call: name, isDeprecated: true, replacement: () => reason });
  }
  return { find: (name) => all.get(name), deprecated: [...all.values()].filter(({ isDeprecated }) => isDeprecated) };
}
