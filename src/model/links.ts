/**
 * Links: texts that name a record held here. The text is free, so it may name nothing, or what is gone. A line in the
 * description of its field in prisma/models says what it names: `Links to: SerialNo by serialNo.`
 */
import { longestId } from './limits.js';
import { capitalized, oneOf } from './names.js';
import type { Link, Resource, WayBack } from './resource.js';

type Linking = Resource & { links: Link[]; waysBack: WayBack[] };

/** Adds the links of all types, and the ways back. @throws for a link that leads nowhere or whose fields have names that are taken */
export function addLinks(resources: ReadonlyMap<string, Linking>): void {
  for (const naming of resources.values()) {
    for (const { name, type, description } of naming.fields) {
      const [, model, by] = form.exec(description) ?? [];
      if (model === undefined || by === undefined) continue;
      const named = resources.get(model);
      const isKnown = named && (by === 'id' || named.fields.some((field) => field.name === by && field.required));
      if (!isKnown || type !== 'String') {
        throw new Error(
          `${naming.model}.${name}: its text can name no ${model} by ${by}; name a required text of a model`,
        );
      }
      const link: Link = { field: `${name}Record`, text: name, resource: named, by };
      naming.links.push(link);
      named.waysBack.push({ field: `${oneOf(naming.plural)}By${capitalized(name)}`, resource: naming, link });
    }
  }
  for (const resource of resources.values()) refuseTaken(resource);
}

const form = /^Links to: (\w+) by (\w+)\.$/m;

/** The field that lists lines as a connection. */
export const connectionField = ({ field }: { field: string }): string => `${field}Connection`;

function refuseTaken({ model, fields, lines, parents, links, waysBack }: Resource): void {
  const names = [
    ...gatewayNames,
    ...fields.map(({ name }) => name),
    ...[...lines, ...parents, ...links, ...waysBack].map(({ field }) => field),
    ...lines.map(connectionField),
  ];
  const taken = names.find((name, index) => names.indexOf(name) !== index);
  if (taken) throw new Error(`${model}: two fields would be called ${taken}; a link needs another name`);
}

const gatewayNames = ['createdAt', 'updatedAt', 'version', 'allowedActions', 'displayTitle', 'actions', 'history'];

/**
 * Whether a text is short enough to name a record. Longer ones are not in the indexes, which PostgreSQL could not hold.
 * SQL that reads them must state this condition in the same words.
 */
export const isShortSql = (column: string): string => `length(${column}) <= ${longestId}`;

/** The same for a text in this process, where characters are counted as the databases do. */
export const isShort = (text: string): boolean => text.length <= longestId || Array.from(text).length <= longestId;

/** The columns that are looked up by a text: those that name a record, and those by which records are named. */
export function linkColumns(resources: readonly Resource[]): { model: string; column: string }[] {
  const columns = resources.flatMap(({ model, links }) =>
    links.flatMap(({ text, resource, by }) => [
      { model, column: text },
      ...(by === 'id' ? [] : [{ model: resource.model, column: by }]),
    ]),
  );
  const key = ({ model, column }: { model: string; column: string }) => `${model}.${column}`;
  return [...new Map(columns.map((each) => [key(each), each])).values()];
}
