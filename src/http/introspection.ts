import { type DocumentNode, executeSync, type GraphQLSchema, getOperationAST, Kind } from 'graphql';
import { type Bytes, bytesOf } from '../bytes.js';

/** Answers remembered; each may be megabytes long. */
const answersKept = 4;

/** The JSON text of the `data` of a query for nothing but introspection; undefined for any other operation. */
export type Introspection = (document: DocumentNode, operationName?: string | null) => Bytes | undefined;

/**
 * Works the answer out once, in which time everybody else waits: the schema is the same for as long as the process
 * lives, and GraphiQL and code generators ask for all of it. Documents must be valid.
 */
export function keepIntrospection(schema: GraphQLSchema): Introspection {
  const answers = new Map<DocumentNode, Bytes>();

  return (document, operationName) => {
    if (!isIntrospection(document, operationName)) return undefined;
    const answer = answers.get(document) ?? textOf(schema, document);
    if (answer === undefined) return undefined;
    answers.delete(document);
    answers.set(document, answer);
    for (const oldest of answers.keys()) {
      if (answers.size <= answersKept) break;
      answers.delete(oldest);
    }
    return answer;
  };
}

/** Whether it is the document's only operation, takes no variables and asks for `__schema` or `__type` alone. */
function isIntrospection(document: DocumentNode, operationName?: string | null): boolean {
  const operation = getOperationAST(document);
  if (!operation || operation !== getOperationAST(document, operationName)) return false;
  if (operation.operation !== 'query' || operation.variableDefinitions?.length) return false;
  return operation.selectionSet.selections.every(
    (selection) =>
      selection.kind === Kind.FIELD && (selection.name.value === '__schema' || selection.name.value === '__type'),
  );
}

function textOf(schema: GraphQLSchema, document: DocumentNode): Bytes | undefined {
  const { data, errors } = executeSync({ schema, document });
  return errors ? undefined : bytesOf(JSON.stringify(data));
}
