/**
 * What the pages know of the gateway before anybody has signed in: the record types with their names on both surfaces,
 * and no record. The app in the browser imports these types too, so they import nothing but types.
 */
import type { Field } from '../../model/field.js';
import type { NumberKind, Presentation } from '../../model/presentation.js';
import type { Resource } from '../../model/resource.js';

export type { BrowserIssuer } from '../../gateway/access/browser-issuer.js';

export interface About {
  version: string;
  database: 'sqlite' | 'postgresql';
  /** Whether GraphiQL works: not where only trusted documents are executed. */
  graphiql: boolean;
  /** Whether the journal is kept, from which the history of a record is read. */
  history: boolean;
  types: TypeAbout[];
}

export interface TypeAbout
  extends Pick<Resource, 'model' | 'area' | 'kind' | 'slug' | 'title' | 'description' | 'one' | 'many'>,
    Presentation {
  /** The id of the only record of a type that has no other. */
  onlyId?: string | undefined;
  /** The query of the counts and sums; empty where there is none, as `one` and `many` are. */
  aggregate: string;
  /** Whether it has the states draft, submitted and cancelled. */
  hasStates: boolean;
  fields: FieldAbout[];
  /** Those that the roles of whoever is signed in hide: left out of the file, and no longer among `fields`. */
  hidden?: readonly string[];
  lines: { model: string; field: string; description: string }[];
  /** What a line belongs to; empty for other records. */
  parents: { model: string; field: string }[];
  /** Whether a line may belong to any record, also one that is not held here. */
  ofAnyRecord: boolean;
  /** The fields that list the records of a type that name one of this by a text; `text` is the naming field. */
  waysBack: { field: string; model: string; text: string }[];
  /** By their names, such as `AssetRepairSubmit`. */
  endpoints: { name: string; operation: string; method: string; path: string }[];
  mutations: string[];
  subscription: string;
}

export interface FieldAbout
  extends Pick<
    Field,
    'name' | 'restName' | 'type' | 'required' | 'nullable' | 'default' | 'description' | 'knownValues' | 'secret'
  > {
  /** It is the state of a document, which GraphQL names by an enum. Left out for all others, as the following are. */
  isState?: true;
  /** The forms of dates that its texts are meant to have. */
  formats?: Field['formats'];
  numberKind?: NumberKind;
  /** The field with the currency of an amount, of the record or of its document. Left out for that of the company. */
  currency?: string;
  /** Its text names a record of `model` by the field `by`; the field `field` beside it gives that record. */
  link?: { model: string; by: string; field: string };
}

/** The lists of lines of a type, each with its own type. */
export const listsOf = ({ lines }: TypeAbout, about: About) =>
  lines.flatMap(({ model, ...list }) => {
    const own = typeCalled(about, model);
    return own ? [{ ...list, own }] : [];
  });

/** The type of this name, which is that of GraphQL or that of REST: an address may hold either. */
export const typeCalled = ({ types }: About, name: string | undefined): TypeAbout | undefined =>
  types.find(({ model, slug }) => model === name || slug === name);
