import { catalogue } from './catalogue.js';
import { slugOf } from './names.js';

/**
 * The ids of records of the past, `<id>@<version of the document>`: to the cache of a client a state of the past is another
 * object than the record as it is now, and the same state is the same object.
 */
export interface PastId {
  /** The id of the record itself. */
  id: string;
  /** The version of its document. */
  version: number;
}

const slugs: ReadonlySet<string> = new Set(Object.keys(catalogue).map(slugOf));

/**
 * What an id of the past names; undefined for any other text, such as an id of another system that has the same form: those
 * are stored as they are. The ids of records have no `@`.
 */
export function pastIdIn(text: string): PastId | undefined {
  const at = text.lastIndexOf('@');
  if (at < 0) return undefined;
  const [, id = '', slug = '', version] = /^(([a-z0-9-]+)_(?:[a-z0-9]{26}|default))@([1-9]\d{0,9})$/.exec(text) ?? [];
  return slugs.has(slug) ? { id, version: Number(version) } : undefined;
}

/** The end of a sentence that begins with the name of the value. */
export const isOfPast = 'is the id of a state of the past, as `asOf` answers it; give the `recordId` of the record';
