import { readFileSync } from 'node:fs';
import { buildSchema, isInterfaceType } from 'graphql';

const schema = buildSchema(readFileSync('docs/schema.graphql', 'utf8'));

/** What an app generates for the cache of Apollo: docs/code-generators.md shows how. */
export const possibleTypes = Object.fromEntries(
  Object.values(schema.getTypeMap())
    .filter(isInterfaceType)
    .map((type) => [
      type.name,
      schema
        .getPossibleTypes(type)
        .map(({ name }) => name)
        .sort(),
    ]),
);
