import type { Problem } from '../../../model/errors/problem.js';
import type { DocumentCheck } from './document-check.js';
import { type ImportItem, repeatedIds } from './import-item.js';

/** Where an item stands in the input. */
type Place = Pick<ImportItem, 'line' | 'text'>;

/** With `updates`, a document with an id may leave out required fields, if it exists already. */
export function checkedItem(place: Place, value: unknown, check: DocumentCheck, updates: boolean): ImportItem {
  const refused = (problems: readonly Problem[]) => ({ ...place, document: undefined, problems });
  const found = check(value);
  if (!('resource' in found)) return refused(found.problems);
  const { resource, values } = found;
  const mayBeThere = resource.kind === 'singleton' || (updates && typeof values.id === 'string');
  const missing = mayBeThere ? found.problems.filter(({ code }) => code === 'parameter_missing') : [];
  const document = { resource, values, missing };
  const others = found.problems.filter((each) => !missing.includes(each));
  const problems = others.length > 0 ? others : repeatedIds(document);
  return problems.length > 0 ? refused(problems) : { ...place, document, problems };
}

export const refusedItem = (place: Place, message: string): ImportItem => ({
  ...place,
  document: undefined,
  problems: [{ path: [], code: 'parameter_invalid', message }],
});
