import type { FieldAbout, TypeAbout } from '../../about.js';

/** Whether the words of a search are in the names of a type, or of one of its fields. */
export function matches(type: TypeAbout, search: string): boolean {
  const { title, model, slug, one, many, area } = type;
  return contains([title, model, slug, one, many, area], search) || type.fields.some((field) => isField(field, search));
}

/** The fields that a search is about; none where it is about the type as a whole. */
export const matchingFields = (type: TypeAbout, search: string): FieldAbout[] =>
  search.trim() ? type.fields.filter((field) => isField(field, search)) : [];

const isField = ({ name, restName }: FieldAbout, search: string): boolean => contains([name, restName], search);

function contains(texts: string[], search: string): boolean {
  const words = search.trim().toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(words));
}
