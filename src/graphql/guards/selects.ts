import {
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
} from 'graphql';

type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/** Whether a field of this name is selected below a field, whatever it is called there; what `@skip` leaves out is not. */
export function selects({ fieldNodes, fragments, variableValues }: Selection, name: string): boolean {
  const seen = new Set<string>();
  const holdsFor = (selection: SelectionNode): boolean => {
    if (!isIncluded(selection, variableValues)) return false;
    if (selection.kind === Kind.FIELD) return selection.name.value === name;
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet.selections.some(holdsFor);
    const spread = selection.name.value;
    if (seen.has(spread)) return false;
    seen.add(spread);
    return fragments[spread]?.selectionSet.selections.some(holdsFor) ?? false;
  };
  return fieldNodes.some(({ selectionSet }) => selectionSet?.selections.some(holdsFor));
}

/** Whether neither `@skip` nor `@include` leaves out a selection. */
export const isIncluded = (node: SelectionNode, variables: Selection['variableValues']): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;
