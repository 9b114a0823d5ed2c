import { type ASTNode, GraphQLError, Kind, print } from 'graphql';

/**
 * Removes quoted values from GraphQL's own errors: errors are stored and forwarded, and a value may be a credential.
 * The kind of the value, names and locations stay.
 */
export function withoutValues(error: GraphQLError): GraphQLError {
  let message = error.message.replace(/\b(String|BlockString|Int|Float) ".*"/s, '$1');
  for (const node of error.nodes ?? []) {
    const kind = kinds.get(node.kind);
    if (!kind) continue;
    const value = print(node);
    for (const start of [': ', 'found ', 'not ']) message = message.replace(start + value, () => start + kind);
  }
  if (message === error.message) return error;
  const { nodes, source, positions, path, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

const kinds: ReadonlyMap<ASTNode['kind'], string> = new Map<ASTNode['kind'], string>([
  [Kind.STRING, 'a string'],
  [Kind.INT, 'a number'],
  [Kind.FLOAT, 'a number'],
  [Kind.BOOLEAN, 'a boolean'],
  [Kind.ENUM, 'a name'],
  [Kind.LIST, 'a list'],
  [Kind.OBJECT, 'an object'],
]);
