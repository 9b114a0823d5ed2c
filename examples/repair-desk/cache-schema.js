import { introspectionFromSchema, visit } from 'graphql';

/**
 * A plugin of the code generator: the part of the schema that Graphcache needs to know for which types a fragment on an
 * interface is, and which fields may be null. The whole schema would be larger than the desk.
 */
export function plugin(schema, documents) {
  const asked = new Set();
  const enter = (node) => void (node.kind === 'Field' && asked.add(node.name.value));
  for (const { document } of documents) visit(document, { enter });

  const { queryType, mutationType, subscriptionType, types } = introspectionFromSchema(schema).__schema;
  const kept = types
    .filter(({ kind }) => kind === 'OBJECT' || kind === 'INTERFACE')
    .map(({ kind, name, interfaces, fields }) => ({
      ...{ kind, name, interfaces: interfaces.map(({ name }) => ({ name })) },
      fields: fields.filter(({ name }) => asked.has(name)).map(({ name, type }) => ({ name, type, args: [] })),
    }));
  const data = { __schema: { queryType, mutationType, subscriptionType, types: kept } };
  return [
    "import type { CacheExchangeOpts } from '@urql/exchange-graphcache';",
    `export const schema: CacheExchangeOpts['schema'] = ${JSON.stringify(data)};`,
  ].join('\n');
}
