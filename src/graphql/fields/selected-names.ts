import { type FragmentDefinitionNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** The names selected below a field, each with the names selected below it. */
export type SelectedNames = ReadonlyMap<string, SelectedNames>;

/** Everything selected below a field, including by fragments; fields with `@skip` count too. */
export function selectedNamesOf({
  fieldNodes,
  fragments,
}: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): SelectedNames {
  const asked = new Gathered();
  for (const { selectionSet } of fieldNodes) if (selectionSet) gather(selectionSet, fragments, asked);
  return asked;
}

class Gathered extends Map<string, Gathered> {
  /** Each fragment is visited once per level, however often it is spread. */
  readonly fragments = new Set<string>();
}

function gather(
  { selections }: SelectionSetNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  into: Gathered,
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      gather(selection.selectionSet, fragments, into);
    } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value;
      const fragment = fragments[name];
      if (!fragment || into.fragments.has(name)) continue;
      into.fragments.add(name);
      gather(fragment.selectionSet, fragments, into);
    } else {
      const below = into.get(selection.name.value) ?? new Gathered();
      into.set(selection.name.value, below);
      if (selection.selectionSet) gather(selection.selectionSet, fragments, below);
    }
  }
}
