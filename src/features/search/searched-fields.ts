/** The fields whose words are in the search index. */
import { oncePer } from '../../common/kept.js';
import type { Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import { indexedWords } from '../../model/words.js';
import type { Rights } from '../../query/rights.js';

/**
 * The names of the free texts of a type: no secrets, no texts with known values, which conditions find, and neither the state
 * of a document nor what names its parent.
 */
export const searchedFields = oncePer(({ fields, documentLike, parents, scope }: Resource): readonly string[] => {
  const references = new Set([scope, ...parents.map(({ reference }) => reference), 'parentType', 'parentField']);
  return fields
    .filter(({ type, secret, knownValues }) => type === 'String' && !secret && knownValues.length === 0)
    .map(({ name }) => name)
    .filter((name) => !references.has(name) && !(documentLike && name === 'status'));
});

/** Whether there is a list of the type that can be searched. */
export const isSearched = ({ kind }: Resource): boolean => kind === 'resource';

/** The types whose texts are those of a document, its own and those of its lines, each with the column of the document's id. */
export const sourcesOf = (resource: Resource) => [
  { type: resource, isLine: false, reference: 'id' },
  ...resource.lines.map(({ resource: type, reference }) => ({ type, isLine: true, reference })),
];

/** A searched text that is hidden from a caller, of a type or of its lines, as a path; undefined if there is none. */
export function hiddenText(rights: Rights, resource: Resource): string | undefined {
  const lists = [{ field: undefined, resource }, ...resource.lines];
  for (const list of lists) {
    const name = searchedFields(list.resource).find((field) => rights.hidden(list.resource).has(field));
    if (name) return [list.field, name].filter(Boolean).join('.');
  }
  return undefined;
}

/** The words of a record, as the index stores them: as the text of a JSON array. */
export function storedWords(resource: Resource, values: Values): string {
  const texts: string[] = [];
  for (const name of searchedFields(resource)) {
    const value = values[name];
    if (typeof value === 'string') texts.push(value);
  }
  return texts.length === 0 ? noWords : JSON.stringify(indexedWords(texts));
}

export const noWords = '[]';
