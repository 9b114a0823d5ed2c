import { type DocumentNode, Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { errors } from '../errors.js';

/**
 * The operation of a document that a request means: the one of that name, or the only one. It is chosen here once; what
 * comes after is given the definition and never sees a name. @throws OPERATION_RESOLUTION_FAILURE
 */
export function definitionIn(document: DocumentNode, operationName: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [first, ...others] = operations;
  if (!first) throw unknown('The document holds no operation; send a query or a mutation.');
  if (operationName === undefined) {
    if (others.length === 0) return first;
    throw unknown(`The document holds ${operations.length} operations; say by \`operationName\` which is meant.`);
  }
  const named = operations.find(({ name }) => name?.value === operationName);
  if (named) return named;
  throw unknown(
    'No operation of the document has the name in `operationName`; send one of its names, or none where it holds one operation.',
  );
}

/** An operation's name and kind; a subscription, which is never admitted, counts as a query. */
export function identified({ name, operation }: OperationDefinitionNode): {
  name: string | undefined;
  kind: 'query' | 'mutation';
} {
  return { name: name?.value, kind: operation === OperationTypeNode.MUTATION ? 'mutation' : 'query' };
}

/**
 * Refuses variables whose names begin with two underscores, which GraphQL keeps for itself. `__proto__`, which is among
 * them, is no plain name in JavaScript. @throws BAD_REQUEST
 */
export function refuseVariableNames({ variableDefinitions = [] }: OperationDefinitionNode): void {
  const wrong = variableDefinitions.find(({ variable }) => variable.name.value.startsWith('__'));
  if (!wrong) return;
  const name = wrong.variable.name.value;
  throw errors.badRequest(
    'parameters_invalid',
    `Names with two underscores in front are GraphQL's own; rename \`$${name}\`.`,
  );
}

/** Refuses what a request of its method may not perform. @throws OPERATION_RESOLUTION_FAILURE, BAD_REQUEST */
export function refuseKind({ operation }: OperationDefinitionNode, mayWrite: boolean): void {
  if (operation === OperationTypeNode.SUBSCRIPTION) {
    throw unknown('Subscriptions are not served; ask by a query.');
  }
  if (operation === OperationTypeNode.MUTATION && !mayWrite) throw errors.badRequest('mutation_by_get');
}

const unknown = errors.operationUnknown;
