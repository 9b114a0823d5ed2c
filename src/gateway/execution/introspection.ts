import { executeSync, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { type Bytes, bytesOf } from '../../common/bytes.js';
import { WeighedCache } from '../../common/weighed-cache.js';
import { jsonText } from '../../graphql/limits/json-text.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { errors as catalogue } from '../../model/errors/errors.js';

/** The capacity of the cache, in characters; introspection of the whole schema takes about two million. */
const charactersKept = 12_000_000;

/** The JSON text of `data` for a pure introspection query; undefined for any other operation. */
export type Introspection = (operation: Operation) => Bytes | undefined;

/**
 * Caches the answers to introspection. Computing one blocks the event loop, the schema never changes while the process
 * runs, and GraphiQL and code generators ask for all of it.
 */
export function keepIntrospection(schema: GraphQLSchema, answerLimit: number): Introspection {
  const answers = new WeighedCache<Bytes>(charactersKept, (_text, answer) => answer.length);

  return (operation) => {
    if (!isPureIntrospection(operation.definition)) return undefined;
    const key = keyOf(operation);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = textOf(schema, operation, answerLimit);
    if (answer !== undefined) answers.set(key, answer);
    return answer;
  };
}

/** The cache key: everything the answer depends on. */
const keyOf = ({ document, name = '' }: Operation): string => `${name} ${document.loc?.source.body}`;

/** Whether the query has no variables and selects only `__schema` and `__type`. */
function isPureIntrospection({ operation, variableDefinitions, selectionSet }: OperationDefinitionNode): boolean {
  if (operation !== 'query' || variableDefinitions?.length) return false;
  return selectionSet.selections.every(
    (selection) =>
      selection.kind === Kind.FIELD && (selection.name.value === '__schema' || selection.name.value === '__type'),
  );
}

/** @throws `answer_too_large` before the text is built */
function textOf(schema: GraphQLSchema, { document, definition }: Operation, answerLimit: number): Bytes | undefined {
  const operationName = definition.name?.value;
  const { data, errors } = executeSync({ schema, document, operationName });
  if (errors) return undefined;
  const text = jsonText(data, answerLimit);
  if (text === undefined) throw catalogue.answerTooLarge(answerLimit);
  return bytesOf(text);
}
