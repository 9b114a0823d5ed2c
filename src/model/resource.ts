/**
 * A resource: what the datamodel and the catalogue say about one record type. Everything derived (GraphQL types, REST
 * endpoints, SQL) uses it instead of the datamodel. `createResources` makes all of them.
 */
import type { Area, Kind, RecordModel, RecordOperation } from './catalogue.js';
import type { Field } from './field.js';
import { longestId } from './limits.js';

export interface Resource {
  /** The name of the Prisma model and the GraphQL type. */
  model: RecordModel;
  kind: Kind;
  area: Area;
  slug: string;
  /** The title in the REST documentation, such as `Asset Repair`. */
  title: string;
  description: string;
  /** The GraphQL queries for one record and for many. */
  one: string;
  many: string;
  /** What many records are called behind a verb, such as `UOMCategories`. */
  plural: string;
  /** The model's name in the Prisma client. */
  delegate: string;
  /** The REST path, such as `/api/assets/asset-repair`. */
  base: string;
  /** The documented fields in the documented order, without `id`, and without what `timestamps` says. */
  fields: readonly Field[];
  /** Whether it has `createdAt`, `updatedAt`, `createdBy` and `updatedBy`: all records except lines. */
  timestamps: boolean;
  /** Whether it has the states draft, submitted and cancelled. */
  documentLike: boolean;
  /** The operations of both interfaces; those not in `documented` are extensions. */
  operations: readonly RecordOperation[];
  documented: readonly RecordOperation[];
  /** A child's column that identifies its siblings: `assetRepairId`, or `parentId`. */
  scope?: string;
  /** The possible parents of a child: one, or one for each record type that `parentType` may name. */
  parents: readonly Parent[];
  /** The collections of lines, in the order of the models. */
  lines: readonly Lines[];
  /**
   * For lines that may belong to any record, held here or not: all types of such lines, this one included. Otherwise
   * empty.
   */
  lineTypesOfAnyRecord: readonly Resource[];
  /** The texts that name a record of a type that is held here. */
  links: readonly Link[];
  /** The links of all types that lead to records of this one. */
  waysBack: readonly WayBack[];
}

/** A text of a record that names another record held here. The text is free, so it may name nothing, or what is gone. */
export interface Link {
  /** The field beside the text that gives the named record, such as `serialNoRecord`. */
  field: string;
  /** The column with the text, such as `serialNo`. */
  text: string;
  /** The type of the named record. */
  resource: Resource;
  /**
   * The column of the named record that holds the same text: `id`, or one that several records may share, of which the
   * newest is meant.
   */
  by: string;
}

/** The records of a type that name a record by a link. */
export interface WayBack {
  /** The field of the named record, such as `jobCardsBySerialNo`. */
  field: string;
  /** The type of the naming records. */
  resource: Resource;
  link: Link;
}

/** A child's relation to a parent. */
export interface Parent {
  resource: Resource;
  /** The relation field of the child, such as `assetRepair`. */
  field: string;
  /** The child's column with the parent's id, such as `assetRepairId`. */
  reference: string;
  /**
   * Whether the column is the gateway's own foreign key, filled in when `parentId` names an existing record; it is then
   * not a documented field.
   */
  link: boolean;
}

/** A parent's relation to a collection of lines. */
export interface Lines {
  resource: Resource;
  /** The relation field of the parent, such as `consumedItems`. */
  field: string;
  /** The child's column with the parent's id. */
  reference: string;
  description: string;
}

/** The columns, null for a command on the server, that name who has created and last changed a record. */
export const authorColumns = ['createdBy', 'updatedBy'] as const;

/** Whether an id has the form of this resource's ids. */
export const isIdOf = ({ slug }: Resource, id: string): boolean => slugIn(id) === slug;

/** A function that returns the resource in the slug of an id; undefined for an id of another form. */
export function resourceById(resources: readonly Resource[]): (id: string) => Resource | undefined {
  const bySlug = new Map(resources.map((resource) => [resource.slug, resource]));
  return (id) => bySlug.get(slugIn(id));
}

const slugIn = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('_')));

/** The field that lists lines as a connection. */
export const connectionField = ({ field }: { field: string }): string => `${field}Connection`;

/**
 * Whether a text is short enough to name a record. Longer ones are not in the indexes, which PostgreSQL could not hold.
 * SQL that reads them must state this condition in the same words.
 */
export const isShortSql = (column: string): string => `length(${column}) <= ${longestId}`;

/** The same for a text in this process, where characters are counted as the databases do. */
export const isShort = (text: string): boolean => text.length <= longestId || Array.from(text).length <= longestId;

/** The id of a singleton's only record (docs/decisions.md: Singletons). */
export const singletonId = ({ slug }: Pick<Resource, 'slug'>): string => `${slug}_default`;

/** The version of a new record; every change raises it by one. */
export const firstVersion = 1;

/** The column that identifies the lines of one parent. */
export function scopeOf({ scope, model }: Resource): string {
  if (!scope) throw new Error(`${model} is no child: it has no parent to order it by`);
  return scope;
}

/** The title of a line's parent; a general one if it may be any record. */
export const parentTitle = (child: Resource): string =>
  child.parents.find(({ reference }) => reference === child.scope)?.resource.title ?? 'record they belong to';
