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
import { StoredDocument } from '../src/graphql/operation/stored-document.js';

/**
 * Returns a document of an endpoint as a stored one; `name` is the operation's, for the error. It is validated at its first use, because validating all of
 * them takes a tenth of the start; a test validates all. @throws Error that names the operation and the problem
 */
export type StoredDocumentOf = (name: string, document: DocumentNode) => StoredDocument;

/** Cached, because all gateways of a process share a schema. */
const known = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, StoredDocument>>();

export function createStoredDocuments(schema: GraphQLSchema): StoredDocumentOf {
  const stored = known.get(schema) ?? new WeakMap<DocumentNode, StoredDocument>();
  known.set(schema, stored);
  return (name, document) => {
    const found = stored.get(document) ?? StoredDocument.store(schema, document, rules);
    if (!(found instanceof StoredDocument)) throw new Error(`REST operation ${name}: ${messagesOf(found)}`);
    stored.set(document, found);
    return found;
  };
}

const messagesOf = (faults: readonly GraphQLError[]): string => faults.map(({ message }) => message).join(' ');

/** The rules of validation that generated documents could break. */
const rules = [
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
];
