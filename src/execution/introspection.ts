import { executeSync, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { type Bytes, bytesOf } from '../bytes.js';
import type { Operation } from '../operation/admission.js';

/** Answers remembered; each may be megabytes long. */
const answersKept = 4;

/** The JSON text of the `data` of a query for nothing but introspection; undefined for any other operation. */
export type Introspection = (operation: Operation) => Bytes | undefined;

/**
 * Works the answer out once, in which time everybody else waits: the schema is the same for as long as the process
 * lives, and GraphiQL and code generators ask for all of it.
 */
export function keepIntrospection(schema: GraphQLSchema): Introspection {
  const answers = new Map<OperationDefinitionNode, Bytes>();

  return (operation) => {
    const { definition } = operation;
    if (!isIntrospection(definition)) return undefined;
    const answer = answers.get(definition) ?? textOf(schema, operation);
    if (answer === undefined) return undefined;
    answers.delete(definition);
    answers.set(definition, answer);
    for (const oldest of answers.keys()) {
      if (answers.size <= answersKept) break;
      answers.delete(oldest);
    }
    return answer;
  };
}

/** Whether it takes no variables and asks for `__schema` or `__type` alone. */
function isIntrospection({ operation, variableDefinitions, selectionSet }: OperationDefinitionNode): boolean {
  if (operation !== 'query' || variableDefinitions?.length) return false;
  return selectionSet.selections.every(
    (selection) =>
      selection.kind === Kind.FIELD && (selection.name.value === '__schema' || selection.name.value === '__type'),
  );
}

function textOf(schema: GraphQLSchema, { document, definition }: Operation): Bytes | undefined {
  const operationName = definition.name?.value;
  const { data, errors } = executeSync({ schema, document, operationName });
  return errors ? undefined : bytesOf(JSON.stringify(data));
}
