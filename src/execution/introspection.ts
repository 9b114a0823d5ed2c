import { executeSync, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { type Bytes, bytesOf } from '../bytes.js';
import { errors as catalogue } from '../errors.js';
import { jsonSize } from '../limits/json-size.js';
import type { Operation } from '../operation/admission.js';
import { WeighedCache } from '../weighed-cache.js';

/** Characters of the answers that are remembered; that to a look at the whole schema takes some two million. */
const charactersKept = 12_000_000;

/** The JSON text of the `data` of a query for nothing but introspection; undefined for any other operation. */
export type Introspection = (operation: Operation) => Bytes | undefined;

/**
 * Works the answer out once, in which time everybody else waits: the schema is the same for as long as the process
 * lives, and GraphiQL and code generators ask for all of it.
 */
export function keepIntrospection(schema: GraphQLSchema, answerLimit: number): Introspection {
  const answers = new WeighedCache<Bytes>(charactersKept, (_text, answer) => answer.length);

  return (operation) => {
    if (!isIntrospection(operation.definition)) return undefined;
    const key = keyOf(operation);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = textOf(schema, operation, answerLimit);
    if (answer !== undefined) answers.set(key, answer);
    return answer;
  };
}

/** What the answer depends on. */
const keyOf = ({ document, name = '' }: Operation): string => `${name} ${document.loc?.source.body}`;

/** Whether it takes no variables and asks for `__schema` or `__type` alone. */
function isIntrospection({ operation, variableDefinitions, selectionSet }: OperationDefinitionNode): boolean {
  if (operation !== 'query' || variableDefinitions?.length) return false;
  return selectionSet.selections.every(
    (selection) =>
      selection.kind === Kind.FIELD && (selection.name.value === '__schema' || selection.name.value === '__type'),
  );
}

/** @throws `answer_too_large` before the text is made */
function textOf(schema: GraphQLSchema, { document, definition }: Operation, answerLimit: number): Bytes | undefined {
  const operationName = definition.name?.value;
  const { data, errors } = executeSync({ schema, document, operationName });
  if (errors) return undefined;
  if (jsonSize(data, answerLimit) > answerLimit) throw catalogue.answerTooLarge(answerLimit);
  return bytesOf(JSON.stringify(data));
}
