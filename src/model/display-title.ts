import { camelOf } from './names.js';
import type { Resource } from './resource.js';

/**
 * What to call a document on a screen. The document's default titles are templates, `{supplier_name}`; they are stored
 * literally and filled here from the record's own fields (decision: title templates). Without a title it is the id.
 */
export function displayTitle(row: { id: string } & Record<string, unknown>): string {
  const title = typeof row.title === 'string' ? row.title : '';
  const filled = title.replace(/\{(\w+)\}/g, (template, field: string) => {
    const value = row[camelOf(field)];
    return typeof value === 'string' ? value : value === null ? '' : template;
  });
  return filled.trim() || row.id;
}

/** The columns a title may be filled from: the id, the title and every text field it could name. */
export function displayTitleColumns(resource: Resource): Record<string, true> {
  const columns: Record<string, true> = { id: true };
  if (!resource.fields.some(({ name }) => name === 'title')) return columns;
  for (const { name, type } of resource.fields) if (type === 'String') columns[name] = true;
  return columns;
}
