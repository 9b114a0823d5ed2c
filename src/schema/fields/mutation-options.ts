/** What the mutations of one record have in common. */
import type { Resource } from '../../model/resource.js';
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

/** How SQL answers a mutation with the arguments `known`. */
export const writtenOne = (resource: Resource, operation: WriteOperation, known: readonly string[]) =>
  answeredBySql({ kind: 'write', resource, operation }, known);
