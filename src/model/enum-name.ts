/** The name in GraphQL of a word that is stored and that REST shows: `submitted` is `SUBMITTED`. Enums are made by it. */
export const enumName = (word: string): string => word.toUpperCase();

/** The word behind such a name. */
export const wordOf = (name: string): string => name.toLowerCase();
