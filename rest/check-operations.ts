import {
  FieldsOnCorrectTypeRule,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
  validate,
} from 'graphql';
import { type RestOperation, restOperations } from './operations.js';

/**
 * Refuses to start with a REST operation that does not fit the schema. All are looked at as one document, and of GraphQL's
 * rules only those run that a document made from the resources could break: all of that is a part of every start.
 */
export function checkOperations(schema: GraphQLSchema): void {
  if (faultsIn(schema, restOperations).length === 0) return;
  for (const operation of restOperations) {
    const faults = faultsIn(schema, [operation]);
    if (faults.length > 0)
      throw new Error(`REST operation ${operation.name}: ${faults.map(({ message }) => message).join(' ')}`);
  }
}

function faultsIn(schema: GraphQLSchema, operations: readonly RestOperation[]): readonly GraphQLError[] {
  const documents = new Set(operations.flatMap(({ document, blindDocument }) => [document, blindDocument]));
  const definitions = [...documents].flatMap((document) => document.definitions);
  return validate(schema, { kind: Kind.DOCUMENT, definitions }, rules);
}

const rules = [
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
];
