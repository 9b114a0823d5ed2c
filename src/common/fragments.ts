import { type DocumentNode, type FragmentDefinitionNode, Kind } from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The fragments of a document by their names. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}
