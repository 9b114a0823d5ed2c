/** What the translation has to know of a record type. */
export interface TypeNames {
  model: string;
  slug: string;
  /** The id of the only record of a type that has no other. */
  onlyId?: string | undefined;
  /** The queries for one record and for many; empty where there is none. */
  one: string;
  many: string;
  fields: readonly { name: string; restName: string }[];
  lines: readonly { field: string; model: string }[];
  endpoints: readonly { operation: string; method: string; path: string }[];
}
