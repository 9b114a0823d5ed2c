import { type DocumentNode, Kind } from 'graphql';
import type { Surroundings } from './selection.js';

/** The fragments of a document by their names. */
export function fragmentsOf({ definitions }: DocumentNode): Surroundings['fragments'] {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}
