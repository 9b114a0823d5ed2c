import { camelOf } from './names.js';
import type { Resource } from './resource.js';

/**
 * The title to show for a record. Default titles are templates such as `{supplier_name}`; they are stored as they are
 * and filled here from the record's fields (docs/decisions.md: title templates). A record without a title shows its id.
 */
export function displayTitle(row: { id: string } & Record<string, unknown>): string {
  const title = typeof row.title === 'string' ? row.title : '';
  const filled = title.replace(/\{(\w+)\}/g, (template, field: string) => {
    const value = row[camelOf(field)];
    return typeof value === 'string' ? value : value === null ? '' : template;
  });
  return filled.trim() || row.id;
}

/** The columns that a title may need: the id, the title and every text field. */
export function displayTitleColumns(resource: Resource): Record<string, true> {
  const columns: Record<string, true> = { id: true };
  if (!resource.fields.some(({ name }) => name === 'title')) return columns;
  for (const { name, type } of resource.fields) if (type === 'String') columns[name] = true;
  return columns;
}
