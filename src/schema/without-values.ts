import { type ASTNode, GraphQLError, Kind, print } from 'graphql';

/**
 * An error GraphQL itself found in a document, without the values its message quotes from it: errors are kept, sent on
 * and read by others, and a value may be a credential. What kind of value it was, names, numbers and the place remain.
 */
export function withoutValues(error: GraphQLError): GraphQLError {
  let message = error.message.replace(/\b(String|BlockString) ".*"/s, '$1');
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
  [Kind.ENUM, 'a name'],
  [Kind.LIST, 'a list'],
  [Kind.OBJECT, 'an object'],
]);
