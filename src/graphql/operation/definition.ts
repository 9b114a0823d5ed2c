import { type DocumentNode, Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { OperationKind } from '../../change/observation.js';
import { errors } from '../../model/errors/errors.js';

/**
 * Selects the operation of a document: the one named `operationName`, or the only one. This is the only place that does
 * so; later steps get the definition instead of a name. @throws OPERATION_RESOLUTION_FAILURE
 */
export function selectDefinition(document: DocumentNode, operationName: string | undefined): OperationDefinitionNode {
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

/** An operation's name and kind. */
export function nameAndKindOf({ name, operation }: OperationDefinitionNode): {
  name: string | undefined;
  kind: OperationKind;
} {
  return { name: name?.value, kind: operation };
}

/**
 * Refuses variable names that begin with two underscores, which GraphQL reserves. One of them is `__proto__`, which
 * would change the prototype of a JavaScript object. @throws BAD_REQUEST
 */
export function refuseVariableNames({ variableDefinitions = [] }: OperationDefinitionNode): void {
  const wrong = variableDefinitions.find(({ variable }) => variable.name.value.startsWith('__'));
  if (!wrong) return;
  const name = wrong.variable.name.value;
  throw errors.badRequest(
    'parameters_invalid',
    `GraphQL reserves names that begin with two underscores; rename \`$${name}\`.`,
  );
}

/**
 * The variables that the operation declares. All others are dropped, as GraphQL demands: a body of 1 MB may hold 90,000
 * of them, and each copy of the variables would copy them too.
 */
export function declaredAmong(
  sent: Readonly<Record<string, unknown>>,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Readonly<Record<string, unknown>> {
  const declared: Record<string, unknown> = {};
  for (const { variable } of variableDefinitions) {
    const name = variable.name.value;
    if (Object.hasOwn(sent, name)) declared[name] = sent[name];
  }
  return declared;
}

/** What the request allows: by its method, and by the types of answers that the client accepts. */
export interface Allowed {
  write: boolean;
  stream: boolean;
}

/** Refuses what the request does not allow. @throws OPERATION_RESOLUTION_FAILURE, BAD_REQUEST */
export function refuseKind({ operation }: OperationDefinitionNode, may: Allowed): void {
  if (operation === OperationTypeNode.SUBSCRIPTION && !may.stream) {
    throw unknown('A subscription is answered as a stream of events; ask for it with `Accept: text/event-stream`.');
  }
  if (operation === OperationTypeNode.MUTATION && !may.write) throw errors.badRequest('mutation_by_get');
}

const unknown = errors.operationUnknown;
