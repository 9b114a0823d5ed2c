import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Whether everything selected below a field is among `names`; fields with `@skip` count too. */
export function selectsOnly(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  names: ReadonlySet<string>,
): boolean {
  const seen = new Set<string>();
  const holdsFor = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return names.has(selection.name.value);
      if (selection.kind === Kind.INLINE_FRAGMENT) return holdsFor(selection.selectionSet);
      const name = selection.name.value;
      if (seen.has(name)) return true;
      seen.add(name);
      const fragment = fragments[name];
      return fragment !== undefined && holdsFor(fragment.selectionSet);
    });
  return fieldNodes.every(({ selectionSet }) => !selectionSet || holdsFor(selectionSet));
}
