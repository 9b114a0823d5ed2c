/** What the mutations of one record have in common. */
import { type Resource, singletonId } from '../../model/resource.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import type { WriteOperation } from '../write-operation.js';

/** The record, and its expected version. */
export const idArgument = (builder: Builder) =>
  builder.args((t) => ({ id: t.id({ required: true }), expectedVersion: t.int() }));

/** The same, where the record may be the only one of its type, which needs no id. */
export const ownIdArgument = (builder: Builder, { kind }: Resource) =>
  builder.args((t) => ({ id: t.id({ required: kind !== 'singleton' }), expectedVersion: t.int() }));

/** The id that was given, or that of the only record. */
export const idAmong = (resource: Resource, id: string | null | undefined): string => id ?? singletonId(resource);

/** How SQL answers a mutation with the arguments `known`. */
export const writtenOne = (resource: Resource, operation: WriteOperation, known: readonly string[]) =>
  answeredBySql({ kind: 'write', resource, operation }, known);
