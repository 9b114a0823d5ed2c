import { type ASTNode, GraphQLError } from 'graphql';

/** The places of one error that are listed: a field that is selected 3,000 times has as many. */
const mostLocations = 50;

/** The first nodes of an error, whose places are listed. */
export const firstNodes = (nodes: readonly ASTNode[] | undefined): readonly ASTNode[] | undefined =>
  nodes?.slice(0, mostLocations);

/** The message of an error at these nodes, with the number of those that are not listed. */
export function messageAt(message: string, nodes: readonly ASTNode[] = []): string {
  const more = nodes.length - mostLocations;
  return more > 0 ? `${message} There ${more === 1 ? 'is 1 more place' : `are ${more} more places`} of it.` : message;
}

/** The error with a bounded number of places. */
export function withFewLocations(error: GraphQLError): GraphQLError {
  const { message, nodes } = error;
  if ((nodes?.length ?? 0) <= mostLocations) return error;
  return new GraphQLError(messageAt(message, nodes), { nodes: firstNodes(nodes), extensions: error.extensions });
}
