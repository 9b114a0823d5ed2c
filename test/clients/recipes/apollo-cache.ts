import { type FieldPolicy, InMemoryCache, type PossibleTypesMap } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

export const cacheOf = (possibleTypes: PossibleTypesMap): InMemoryCache =>
  new InMemoryCache({
    possibleTypes,
    typePolicies: {
      Query: {
        fields: {
          assetRepairs: growingList('search', 'where', 'orderBy', 'offset'),
          search: growingList('query', 'types', 'offset'),
        },
      },
    },
  });

/** A list to which pages are added; the arguments are those that make another list. */
function growingList(...keyArgs: string[]): FieldPolicy {
  const { read, merge } = relayStylePagination(keyArgs);
  return {
    keyArgs,
    // The policy of Apollo keeps `edges` alone, and answers `nodes` of a list that it has as an empty one.
    merge(existing, incoming, options) {
      const edges = incoming.edges ?? incoming.nodes?.map((node: object) => ({ node }));
      return typeof merge === 'function' ? merge(existing, { ...incoming, edges }, options) : incoming;
    },
    read(existing, options) {
      const list = read?.(existing, options);
      return list && { ...list, nodes: list.edges?.flatMap((edge) => ('node' in edge ? edge.node : [])) };
    },
  };
}
