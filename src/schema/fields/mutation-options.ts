/** What the mutations of one record have in common. */
import { type Resource, singletonId } from '../../model/resource.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import type { WriteOperation } from '../write-operation.js';

export const versionHint =
  'The version you have read. If the record has changed since, nothing happens and VERSION_CONFLICT is answered.';

/** The record, and its expected version. */
export const idArgument = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    id: t.id({ required: true, description: `Id of the ${resource.title}.` }),
    expectedVersion: t.int({ description: versionHint }),
  }));

/** The same, where the record may be the only one of its type, which needs no id. */
export const ownIdArgument = (builder: Builder, resource: Resource) =>
  builder.args((t) => ({
    id: t.id({
      required: resource.kind !== 'singleton',
      description:
        resource.kind === 'singleton'
          ? `Need not be given: there is one ${resource.title}. Another id than its own is NOT_FOUND.`
          : `Id of the ${resource.title}.`,
    }),
    expectedVersion: t.int({ description: versionHint }),
  }));

/** The id that was given, or that of the only record. */
export const idAmong = (resource: Resource, id: string | null | undefined): string => id ?? singletonId(resource);

/** How SQL answers a mutation with the arguments `known`. */
export const writtenOne = (resource: Resource, operation: WriteOperation, known: readonly string[]) =>
  answeredBySql({ kind: 'write', resource, operation }, known);
