/**
 * All rules that derive a name from another one are here. A name that follows no rule (an irregular plural) is stated
 * in the catalogue.
 */

/** `UOMCategory` → `u-o-m-category`: a dash before each capital, as in the REST paths. */
export const slugOf = (model: string): string =>
  model.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).slice(1);

/** `UOMCategory` → `UOM Category`: the title in the REST documentation; `CCs` are several of a `CC`. */
export const titleOf = (model: string): string =>
  model.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s$)[a-z])/g, ' ');

/** `UOMCategory` → `uomCategory`: the query for one record, and the field from a child to its parent. */
export const oneOf = (model: string): string =>
  model.replace(/^([A-Z]+(?=[A-Z][a-z])|[A-Z]+$|[A-Z])/, (head) => head.toLowerCase());

/**
 * `IndustryType` → `IndustryTypes`, `UOMCategory` → `UOMCategories`: many records, behind a verb
 * (`createManyUOMCategories`). `oneOf` makes the query of it: `uomCategories`.
 */
export const pluralOf = (model: string): string =>
  model
    .replace(/y$/, 'ie')
    .replace(/(?<=[sxz]|ch|sh)$/, 'e')
    .concat('s');

/** `an Asset Repair` → `An Asset Repair`. */
export const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** The name of a model in the Prisma client: `uOMCategory`. */
export const delegateOf = (model: string): string => model.slice(0, 1).toLowerCase() + model.slice(1);

/** `repairCost` → `repair_cost`. `camelOf` reverses it; a test checks this for every field. */
export const snakeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `repair_cost` → `repairCost`. */
export const camelOf = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `Asset Repair` → `an Asset Repair`, `UOM Category` → `a UOM Category`. */
export const withArticle = (title: string): string => `${/^[AEIO]/.test(title) ? 'an' : 'a'} ${title}`;

/**
 * The name in GraphQL of a word that is stored or that REST shows: `submitted` is `SUBMITTED`, `by_hand` is `BY_HAND`, and the
 * type `UOMCategory` is `UOM_CATEGORY`. All enums are made by it.
 */
export const enumName = (word: string): string => titleOf(word).replaceAll(' ', '_').toUpperCase();

/** The word behind such a name, if it is in lower case. */
export const wordOf = (name: string): string => name.toLowerCase();
