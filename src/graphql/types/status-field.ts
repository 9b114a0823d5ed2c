/** The fields of documents that show their state: by its name in this schema, and as it is stored. */
import type { FieldRef } from '@pothos/core';
import { errors } from '../../model/errors/errors.js';
import { isStatus, type Status, statuses } from '../../model/lifecycle.js';
import { enumName } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import { answeredBySql } from '../answered-by-sql.js';
import { type Builder, perBuilder, type SchemaTypes } from '../builder.js';
import type { RecordFields } from './record-type.js';

/** SQL leaves a stored text that is none of the three states to the resolver, which says so. */
export const statusField = (
  builder: Builder,
  t: RecordFields,
  resource: Resource,
  description: string,
): FieldRef<SchemaTypes> =>
  t.field({
    type: documentStatus(builder),
    nullable: false,
    description: inEnumNames(description),
    select: { id: true, status: true },
    extensions: answeredBySql({ kind: 'status' }),
    resolve: ({ id, status }) => knownStatus(resource.title, status, id),
  });

/** The model names the states as they are stored: `draft`. */
const inEnumNames = (description: string): string =>
  description.replaceAll(/[`"](\w+)[`"]/g, (quoted, word) => (isStatus(word) ? `\`${enumName(word)}\`` : quoted));

export const storedStatusField = (t: RecordFields): FieldRef<SchemaTypes> =>
  t.expose('status', {
    type: 'String',
    nullable: false,
    description: 'Its state as it is stored and as REST shows it: `draft`, `submitted` or `cancelled`.',
    extensions: answeredBySql({ kind: 'column', column: 'status', type: 'String', nullable: false }),
  });

/** @throws INTERNAL_SERVER_ERROR for a text that is no state, which only SQL written by hand can have stored */
export function knownStatus(title: string, stored: unknown, id?: string): Status {
  if (!isStatus(stored)) throw errors.unknownStatus({ title, id, stored: String(stored) });
  return stored;
}

/** The enum of the three states of documents. It names the stored texts: `DRAFT` is stored as `draft`, which REST shows. */
const descriptions: Record<Status, string> = {
  draft: 'It is new and may be submitted.',
  submitted: 'It is in force and may be cancelled.',
  cancelled: 'It is no longer in force, which is final.',
};

export const documentStatus = perBuilder((builder) =>
  builder.enumType('DocumentStatus', {
    description: 'The state of a document. REST shows it in lower case, as it is stored.',
    values: Object.fromEntries(
      statuses.map((status) => [enumName(status), { value: status, description: descriptions[status] }]),
    ),
  }),
);
