/** The types of documents: all records but lines, and the lines that may belong to a record that is not stored here. */

import { nearest } from '../../common/nearest.js';
import type { Resource } from '../../model/resource.js';
import { TransferError } from './reports.js';

/** Records with their lines come before lines that have no record here. */
export function documentTypes(resources: readonly Resource[]): Resource[] {
  const records = resources.filter(({ kind }) => kind !== 'child');
  return [...records, ...resources.filter(mayStandAlone)];
}

/** Whether lines of this type may be documents of their own. */
export const mayStandAlone = ({ lineTypesOfAnyRecord }: Resource): boolean => lineTypesOfAnyRecord.length > 0;

/** @throws TransferError if there is none of this name */
export function typeNamed(resources: readonly Resource[], name: string): Resource {
  const types = typesNamed(resources, [name]);
  if (typeof types === 'string') throw new TransferError(types);
  const [type] = types;
  if (!type) throw new Error('A known name has a type');
  return type;
}

/** The types with these names, in their own order; all if there are none. Or what is wrong with the names. */
export function typesNamed(resources: readonly Resource[], names: readonly string[]): Resource[] | string {
  const types = documentTypes(resources);
  if (names.length === 0) return types;
  for (const name of names) {
    if (types.some(({ model }) => model === name)) continue;
    const line = resources.find(({ model }) => model === name);
    if (line)
      return `${name} is a line; it goes with its ${line.parents.map((each) => each.resource.model).join(' or ')}.`;
    const meant = nearest(
      name.slice(0, 100),
      types.map(({ model }) => model),
    );
    return `There is no type ${name.slice(0, 100)}.${meant ? ` Did you mean ${meant}?` : ''}`;
  }
  return types.filter(({ model }) => names.includes(model));
}
