/** Changes an existing document where it differs from the imported one. */

import type { ChangeContext } from '../../../change/change-context.js';
import { readStored } from '../../../change/statements/stored-record.js';
import { differences, valuesOf } from '../../../change/values.js';
import { instantIn } from '../../../change/writes/brought-row.js';
import { type Save, save } from '../../../change/writes/save.js';
import type { Procedure } from '../../../common/work.js';
import type { Values } from '../../../model/change.js';
import { errors } from '../../../model/errors/errors.js';
import { type Resource, singletonId } from '../../../model/resource.js';
import type { ImportDocument } from './import-item.js';

export type Outcome = 'changed' | 'unchanged';

/** Lists of lines that are given are made equal; what is left out stays. */
export function* updateDocument(writing: ChangeContext, document: ImportDocument): Procedure<Outcome> {
  return yield* saved(writing, document, {});
}

/** Sets settings that nobody has ever set; they take over the version and the instants. @throws BAD_USER_INPUT otherwise */
export function* bringSingleton(writing: ChangeContext, document: ImportDocument): Procedure<Outcome> {
  const { resource, values } = document;
  const [stored] = yield* readStored(writing.provider, resource, {
    by: 'id',
    among: [singletonId(resource)],
    names: [],
    isLocked: true,
  });
  if (stored?.version !== 1) throw settingsAreSet(resource);
  const { version, createdAt, updatedAt } = values;
  // Version 1 would say that they have never been set.
  const isBrought = typeof version === 'number' && version > 1;
  const becomes = { version, createdAt: instantIn(createdAt), updatedAt: instantIn(updatedAt) };
  return yield* saved(writing, document, isBrought ? { becomes } : {});
}

function* saved(writing: ChangeContext, { resource, values }: ImportDocument, more: Partial<Save>): Procedure<Outcome> {
  const { id: given, version: _version, createdAt: _createdAt, updatedAt: _updatedAt, ...input } = values;
  const id = resource.kind === 'singleton' ? singletonId(resource) : String(given);
  const changed = resource.kind === 'singleton' ? yield* differing(writing, resource, id, input) : input;
  yield* save(writing, resource, { id, input: changed, bringsLines: true, ...more });
  return writing.written.rows > 0 ? 'changed' : 'unchanged';
}

/** Rules refuse null for some settings, which are null until they are set. */
function* differing({ provider }: ChangeContext, resource: Resource, id: string, input: Values): Procedure<Values> {
  const values = valuesOf(resource, input);
  const names = Object.keys(values);
  const [stored] = yield* readStored(provider, resource, { by: 'id', among: [id], names, isLocked: true });
  const lists = resource.lines.filter(({ field }) => Array.isArray(input[field]));
  return {
    ...differences(stored?.values ?? {}, values),
    ...Object.fromEntries(lists.map(({ field }) => [field, input[field]])),
  };
}

const settingsAreSet = ({ title }: Resource): Error =>
  errors.badInput([
    {
      path: ['id'],
      code: 'parameter_invalid',
      message: `is that of ${title} that are set already; --update would change them`,
    },
  ]);
