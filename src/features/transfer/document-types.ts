/** The types of documents: all records but lines, and the lines that may belong to a record that is not stored here. */

import { nearest } from '../../common/nearest.js';
import type { Resource } from '../../model/resource.js';
import { TransferError } from './reports.js';

/** Records with their lines come before lines that have no record here. */
export function documentTypes(resources: readonly Resource[]): Resource[] {
  const records = resources.filter(({ kind }) => kind !== 'child');
  return [...records, ...resources.filter(({ lineTypesOfAnyRecord }) => lineTypesOfAnyRecord.length > 0)];
}

/** The types with these names, in their own order; all if there are none. @throws TransferError for an unknown name */
export function typesNamed(resources: readonly Resource[], names: readonly string[]): Resource[] {
  const types = documentTypes(resources);
  if (names.length === 0) return types;
  for (const name of names) {
    if (types.some(({ model }) => model === name)) continue;
    const line = resources.find(({ model }) => model === name);
    if (line) {
      const parents = line.parents.map((each) => each.resource.model).join(' or ');
      throw new TransferError(`${name} is a line; it goes with its ${parents}.`);
    }
    const meant = nearest(
      name.slice(0, 100),
      types.map(({ model }) => model),
    );
    throw new TransferError(`There is no type ${name.slice(0, 100)}.${meant ? ` Did you mean ${meant}?` : ''}`);
  }
  return types.filter(({ model }) => names.includes(model));
}
