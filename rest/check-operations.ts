import {
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  type GraphQLError,
  type GraphQLSchema,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
} from 'graphql';
import { StoredDocument } from '../src/operation/stored-document.js';
import { type RestOperation, restOperations } from './operations.js';

/** Every gateway of a process has the same schema, and to check takes 80 ms. */
const checked = new WeakMap<GraphQLSchema, ReadonlyMap<DocumentNode, StoredDocument>>();

/**
 * The documents of all REST operations, checked against the schema; a gateway with one that does not fit does not start.
 * All are checked as one, and of GraphQL's rules only by those that a document made from the resources could break.
 * @throws Error that names the operation and what is wrong with it
 */
export function storedOperations(schema: GraphQLSchema): ReadonlyMap<DocumentNode, StoredDocument> {
  const stored = checked.get(schema) ?? store(schema, restOperations);
  if (stored instanceof Map) {
    checked.set(schema, stored);
    return stored;
  }
  for (const operation of restOperations) {
    const faults = store(schema, [operation]);
    if (Array.isArray(faults)) throw new Error(`REST operation ${operation.name}: ${messagesOf(faults)}`);
  }
  throw new Error('The REST operations do not fit each other');
}

function store(schema: GraphQLSchema, operations: readonly RestOperation[]): ReturnType<typeof StoredDocument.store> {
  const documents = operations.flatMap(({ document, blindDocument }) => [document, blindDocument]);
  return StoredDocument.store(schema, new Set(documents), rules);
}

const messagesOf = (faults: readonly GraphQLError[]): string => faults.map(({ message }) => message).join(' ');

const rules = [
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
];
