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
import type { RestOperation } from './operations.js';

/** Cached, because all gateways of a process share a schema and the check takes 80 ms. */
const checked = new WeakMap<GraphQLSchema, ReadonlyMap<DocumentNode, StoredDocument>>();

/**
 * Validates the documents of all REST operations against the schema; if one is invalid, the gateway does not start. All
 * are validated as one document, and only by the rules that generated documents could break. @throws Error that names
 * the operation and the problem
 */
export function storedOperations(
  schema: GraphQLSchema,
  operations: readonly RestOperation[],
): ReadonlyMap<DocumentNode, StoredDocument> {
  const stored = checked.get(schema) ?? store(schema, operations);
  if (stored instanceof Map) {
    checked.set(schema, stored);
    return stored;
  }
  for (const operation of operations) {
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
