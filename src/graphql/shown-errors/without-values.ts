import { type ASTNode, type GraphQLError, Kind, print } from 'graphql';

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
  // Not a new error: finding the line of each error in a text of 1 MB takes as long as reading the text.
  error.message = message;
  return error;
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
