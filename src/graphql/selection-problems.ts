import {
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { RequestContext } from '../change/context.js';
import type { Problem } from '../model/errors/problem.js';
import { isIncluded } from './operation/selected-nodes.js';

/** What is wrong with the arguments of one field. */
type ProblemsOf = (field: GraphQLField<unknown, RequestContext>, args: Readonly<Record<string, unknown>>) => Problem[];

/** What is selected below a field, or by a whole operation, where `returnType` is the type of its root. */
export type SelectionInfo = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues' | 'returnType'> & {
  fieldNodes: readonly Pick<FieldNode, 'selectionSet'>[];
};

/**
 * Everything wrong with the arguments of the fields below a field, each problem with the path to its argument. A
 * mutation asks before it writes: its answer is resolved only afterwards, when a refusal would come after the change
 * was made. @throws GraphQLError for an argument that cannot be coerced
 */
export function selectionProblems(info: SelectionInfo, problemsOf: ProblemsOf): Problem[] {
  const { schema, fragments, variableValues } = info;

  const inSet = (set: SelectionSetNode | undefined, type: GraphQLNamedType | undefined): Problem[] =>
    set?.selections
      .filter((node) => isIncluded(node, variableValues))
      .flatMap((selection) => inSelection(selection, type)) ?? [];

  const inSelection = (selection: SelectionNode, type: GraphQLNamedType | undefined): Problem[] => {
    if (selection.kind === Kind.FIELD) return inField(selection, type);
    const part = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
    if (!part) return [];
    return inSet(part.selectionSet, part.typeCondition ? schema.getType(part.typeCondition.name.value) : type);
  };

  const inField = (node: FieldNode, type: GraphQLNamedType | undefined): Problem[] => {
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) return [];
    const own = problemsOf(field, getArgumentValues(field, node, variableValues));
    const key = node.alias?.value ?? node.name.value;
    return [...own, ...inSet(node.selectionSet, getNamedType(field.type))].map((problem) => ({
      ...problem,
      path: [key, ...problem.path],
    }));
  };

  return info.fieldNodes.flatMap(({ selectionSet }) => inSet(selectionSet, getNamedType(info.returnType)));
}
