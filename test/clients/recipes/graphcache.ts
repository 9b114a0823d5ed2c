import { cacheExchange, type Resolver } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import type { IntrospectionQuery } from 'graphql';

export const cacheOf = (schema: IntrospectionQuery) =>
  cacheExchange({
    schema,
    keys: keysOf(schema),
    resolvers: { Query: { assetRepairs: growingList(), search: growingList() } },
  });

/** A list to which pages are added. Any other argument than those of pages makes another list. */
function growingList(): Resolver {
  const pages = relayPagination();
  return (parent, args, cache, info) => {
    const list = pages(parent, args, cache, info);
    if (!list) return list;
    // The resolver of urql answers `nodes` as empty if the list is held as `edges`, and `edges` if it is held as `nodes`.
    const { edges, nodes, __typename: type } = list;
    const edgeOf = (node: string) => ({ __typename: type.replace('Connection', 'Edge'), node });
    return {
      ...list,
      nodes: nodes.length > 0 ? nodes : edges.map((edge: string) => cache.resolve(edge, 'node')),
      edges: edges.length > 0 ? edges : nodes.map(edgeOf),
    };
  };
}

/** Tells Graphcache which types have no id: it stores their values inside the record that holds them. */
function keysOf({ __schema: { types } }: IntrospectionQuery) {
  const values = types.filter((type) => type.kind === 'OBJECT' && !type.fields.some(({ name }) => name === 'id'));
  return Object.fromEntries(values.map(({ name }) => [name, () => null]));
}
