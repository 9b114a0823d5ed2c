/** The files that features show to others, which name them in `needs`: what an `index.ts` shows would be loaded at every start. */
export const shownToOthers: readonly string[] = [
  'src/features/check/check-database.ts',
  'src/features/check/integrity.ts',
  'src/features/keys/api-keys.ts',
  'src/features/keys/schema/api-key-fields.ts',
];

/**
 * The wings of the code from top to bottom. A wing imports from itself and from the wings in lines below it, never from a
 * wing in the same line. The README shows this list: `npm run readme` writes it there.
 */
export const layers: string[][] = [
  ['src/main.ts'],
  ['src/program.ts'],
  ['src/build/'],
  ['src/features.ts'],
  ['src/features/'],
  ['rest/', 'src/cli/'],
  ['src/gateway/'],
  ['src/graphql/'],
  ['src/change/'],
  ['src/query/'],
  ['src/database/'],
  ['src/model/'],
  ['src/common/'],
  ['src/generated/'],
];
