import { titleOf } from './names.js';

/**
 * The name in GraphQL of a word that is stored or that REST shows: `submitted` is `SUBMITTED`, `by_hand` is `BY_HAND`, and the
 * type `UOMCategory` is `UOM_CATEGORY`. All enums are made by it.
 */
export const enumName = (word: string): string => titleOf(word).replaceAll(' ', '_').toUpperCase();

/** The word behind such a name, if it is in lower case. */
export const wordOf = (name: string): string => name.toLowerCase();
