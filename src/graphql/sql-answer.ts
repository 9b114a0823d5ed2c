/** How the compiler sees a field: what it returns, and of which resource. */
import type { Lines, Link, Parent, Resource, WayBack } from '../model/resource.js';
import type { UserError } from './shown-errors/user-errors.js';
import type { Column } from './types/columns.js';
import type { WriteOperation } from './write-operation.js';

export type SqlAnswer =
  /** Fields of Query: a record by `id`, a singleton, a connection, records of any type by id, or by type and id. */
  | { kind: 'record'; resource: Resource }
  | { kind: 'singleton'; resource: Resource }
  | { kind: 'list'; resource: Resource }
  | { kind: 'node'; resources: readonly Resource[] }
  | { kind: 'nodes'; resources: readonly Resource[] }
  | { kind: 'entities'; resources: readonly Resource[] }
  /** Fields of Mutation. SQL answers only requests with these values of the arguments in `onlyWith`. */
  | { kind: 'write'; resource: Resource; operation: WriteOperation; onlyWith?: Readonly<Record<string, unknown>> }
  /** Fields of a record. */
  | { kind: 'column'; column: string; type: ColumnType; nullable: boolean }
  | { kind: 'status' }
  | { kind: 'allowedActions' }
  | { kind: 'parent'; parent: Parent }
  | { kind: 'link'; link: Link }
  | { kind: 'lines'; lines: Lines }
  | { kind: 'related'; list: Lines | WayBack }
  /** Fields of a connection, its edges and its page info. */
  | { kind: 'page'; part: 'edges' | 'nodes' | 'pageInfo' | 'totalCount' }
  | { kind: 'edge'; part: 'cursor' | 'node' }
  | { kind: 'pageInfo'; part: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor' }
  /** Fields of the answer of a mutation, of what it has changed, and of what is wrong. */
  | { kind: 'payload'; part: 'record' | 'records' | 'changes' | 'userErrors' }
  | { kind: 'deleted'; part: 'id' | 'ids' | 'deleted' }
  | { kind: 'userError'; part: keyof UserError }
  | { kind: 'changes'; part: 'fields' | 'lines' }
  | { kind: 'lineChanges'; part: 'list' | 'created' | 'updated' | 'moved' | 'deleted' };

export type ColumnType = Exclude<Column['type'], 'DocumentStatus'>;
