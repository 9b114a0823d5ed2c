import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from '../../common/fragments.js';
import { fieldDefinitionOf } from './introspection-cost.js';

/** Bytes of the longest possible text: the largest body of a request. */
const largestText = 1024 * 1024;

/**
 * Whether the answer of an operation could exceed `limit` bytes with any data: it selects a list, or more values than
 * fit if each were as long as possible. False is certain, true is not.
 */
export function mayBeLarge(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  limit: number,
): boolean {
  const most = limit / largestText;
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation) ?? undefined;
  return valuesIn(operation.selectionSet, root) > most;

  /** The number of values in a selection; infinite for a list. */
  function valuesIn({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): number {
    let values = 0;
    for (const selection of selections) {
      if (values > most) return values;
      if (selection.kind === Kind.FIELD) {
        const definition = fieldDefinitionOf(type, selection.name.value);
        const inner = definition && getNamedType(definition.type);
        const isList = definition && isListType(getNullableType(definition.type)) && isCompositeType(inner);
        values += isList ? Number.POSITIVE_INFINITY : 1;
        if (selection.selectionSet) values += valuesIn(selection.selectionSet, inner);
        continue;
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      const condition = fragment?.typeCondition?.name.value;
      if (fragment) values += valuesIn(fragment.selectionSet, condition ? schema.getType(condition) : type);
    }
    return values;
  }
}
