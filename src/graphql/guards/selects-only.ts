import { type FragmentDefinitionNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Names that may be selected: with anything below them, or with nothing but the names that are given for them. */
export type Names = Readonly<{ [name: string]: 'all' | Names }>;

/** Whether everything selected below a field is among `names`; fields with `@skip` count too. */
export function selectsOnly({ fieldNodes, fragments }: Selection, names: Names): boolean {
  return fieldNodes.every(({ selectionSet }) => !selectionSet || holdsFor(selectionSet, fragments, names, new Set()));
}

type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/** `seen` has the fragments that have been checked for these names. */
function holdsFor(
  { selections }: SelectionSetNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  names: Names,
  seen: Set<string>,
): boolean {
  return selections.every((selection) => {
    if (selection.kind === Kind.FIELD) {
      const name = selection.name.value;
      const below = Object.hasOwn(names, name) ? names[name] : undefined;
      if (below === undefined || below === 'all') return below === 'all';
      return selection.selectionSet !== undefined && holdsFor(selection.selectionSet, fragments, below, new Set());
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return holdsFor(selection.selectionSet, fragments, names, seen);
    const name = selection.name.value;
    if (seen.has(name)) return true;
    seen.add(name);
    const fragment = fragments[name];
    return fragment !== undefined && holdsFor(fragment.selectionSet, fragments, names, seen);
  });
}
