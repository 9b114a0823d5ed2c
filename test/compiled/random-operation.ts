/** Random read operations over the whole model, valid except for an argument out of range now and then. */
import { connectionField, type Resource } from '../../src/model/resource.js';
import { resources } from '../support/resources.js';
import type { Chance } from './random.js';
import { literal, type Order, randomFilter, randomOrder } from './random-list.js';

/** Values for arguments, some without a match: ids by model, and instants under `DateTime`. */
export type KnownIds = ReadonlyMap<string, readonly string[]>;

/** An order of a list, and cursors from it. */
export interface KnownOrder {
  order: Order;
  cursors: readonly string[];
}

export interface Known {
  ids: KnownIds;
  orders: ReadonlyMap<string, readonly KnownOrder[]>;
}

/** The features that an operation uses, to see how much is compiled. */
export const features = [
  'where',
  'orderBy',
  'after',
  'before',
  'last',
  'lines where',
  'lines orderBy',
  '@include',
  'hasPreviousPage',
  'node',
  'link',
  'connection in a record',
] as const;
export type Feature = (typeof features)[number];

/** The connections within a record: of its lines, and of the records that name it. */
const relatedLists = ({ lines, waysBack }: Resource) => [
  ...lines.map(({ field, resource }) => ({ field: connectionField({ field }), resource })),
  ...waysBack,
];

export interface RandomOperation {
  query: string;
  variables: Record<string, unknown>;
  features: ReadonlySet<Feature>;
  /** Selects a field that is not compiled. */
  isLeftToResolvers: boolean;
}

export function randomOperation({ chance, pick, upTo }: Chance, { ids, orders }: Known): RandomOperation {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fragments: string[] = [];
  const used = new Set<Feature>();
  let names = 0;

  /** The value as a variable or a literal. */
  const given = (type: string, value: unknown): string => {
    if (chance(0.4)) {
      return literal(value, (operand) => (chance(0.3) ? given(operand.type, operand.value) : undefined));
    }
    const name = `v${names++}`;
    const standard = chance(0.2) ? ` = ${literal(value)}` : '';
    if (!standard || chance(0.5)) variables[name] = value;
    declared.push(`$${name}: ${type}${standard}`);
    return `$${name}`;
  };

  const aliased = (field: string) =>
    chance(0.3) ? `a${names++}_${'x'.repeat(chance(0.05) ? 70 : 1)}: ${field}` : field;
  const list = (items: string[]) => (items.length > 0 ? `(${items.join(', ')})` : '');

  const directive = (): string => {
    if (!chance(0.08)) return '';
    used.add('@include');
    return ` @${pick(['include', 'skip'])}(if: ${chance(0.3) ? chance(0.5) : given('Boolean!', chance(0.5))})`;
  };

  /** `where` and `orderBy`, of a list or of lines. */
  const choice = (resource: Resource, prefix: '' | 'lines ', order?: Order | 'none') => {
    const items: string[] = [];
    if (chance(0.4)) {
      used.add(`${prefix}where`);
      items.push(`where: ${given(`${resource.model}Filter`, randomFilter({ chance, pick, upTo }, resource, ids))}`);
    }
    if (order === 'none') return items;
    const orderBy = order ?? (chance(0.2) ? randomOrder({ chance, pick, upTo }, resource) : []);
    if (orderBy.length === 0 && chance(0.9)) return items;
    used.add(`${prefix}orderBy`);
    return [...items, `orderBy: ${given(`[${resource.model}Sort!]`, orderBy)}`];
  };

  /** For a list within a record, cursors of other orders are left to the resolvers. */
  const page = (resource: Resource, isWithin = false) => {
    const known = pick(orders.get(resource.model) ?? [{ order: [], cursors: [] }]);
    const isKnown = chance(0.6) && !(isWithin && known.order.length > 0);
    const items = choice(resource, '', isWithin ? 'none' : isKnown ? known.order : undefined);
    for (const name of ['after', 'before'] as const) {
      if (!isKnown || known.cursors.length === 0 || !chance(0.25)) continue;
      used.add(name);
      items.push(`${name}: ${given('String', pick(known.cursors))}`);
    }
    const backwards = chance(0.25);
    if (backwards) used.add('last');
    if (backwards) items.push(`last: ${given('Int', pick([0, 1, 2, 3, 1000]))}`);
    if (chance(backwards ? 0.2 : 0.6)) items.push(`first: ${given('Int', pick([0, 1, 2, 3, 20, 1000, 1001]))}`);
    if (chance(backwards ? 0.02 : 0.3)) items.push(`offset: ${given('Int', pick([0, 1, 2, 50]))}`);
    return items;
  };

  const record = (resource: Resource, depth: number): string => {
    const columns = [...resource.fields.map(({ name }) => name), 'id', 'version', '__typename'];
    if (resource.timestamps) columns.push('createdAt', 'updatedAt');
    if (resource.documentLike) columns.push('allowedActions');
    if (resource.documentLike && chance(0.05)) columns.push('displayTitle');
    const parts = Array.from({ length: 1 + upTo(5) }, () => aliased(pick(columns)) + directive());
    if (depth > 0) {
      for (const { field, resource: child } of resource.lines) {
        if (!chance(0.5)) continue;
        const slice = choice(child, 'lines ');
        if (chance(0.3)) slice.push(`limit: ${given('Int', pick([1, 2, 1000]))}`);
        if (chance(0.3)) slice.push(`offset: ${given('Int', pick([0, 1, 5]))}`);
        parts.push(`l${names++}: ${field}${list(slice)}${directive()} { ${record(child, depth - 1)} }`);
      }
      for (const { field, resource: parent } of resource.parents) {
        if (chance(0.4)) parts.push(`p${names++}: ${field}${directive()} { ${record(parent, depth - 1)} }`);
      }
      for (const { field, resource: named } of resource.links) {
        if (!chance(0.4)) continue;
        used.add('link');
        parts.push(`k${names++}: ${field}${directive()} { ${record(named, depth - 1)} }`);
      }
      for (const { field, resource: other } of relatedLists(resource)) {
        if (!chance(0.15)) continue;
        used.add('connection in a record');
        parts.push(`c${names++}: ${field}${list(page(other, true))}${directive()} { ${connection(other, depth - 1)} }`);
      }
    }
    if (chance(0.15)) parts.push(`... on ${resource.model} { ${aliased(pick(columns))} }`);
    if (chance(0.1)) parts.push('... on Node { id }');
    if (chance(0.1)) parts.push(`...${directive()} { id }`);
    if (chance(0.15)) {
      const name = `F${names++}`;
      fragments.push(`fragment ${name} on ${resource.model} { ${aliased(pick(columns))} }`);
      parts.push(`...${name}${directive()}`);
    }
    return parts.join(' ');
  };

  const connection = (resource: Resource, depth = 2): string => {
    const parts: string[] = [];
    if (chance(0.7)) parts.push(`${aliased('nodes')}${directive()} { ${record(resource, depth)} }`);
    if (chance(0.3)) parts.push(`edges { cursor node { ${record(resource, Math.min(depth, 1))} } }`);
    if (chance(0.4)) parts.push(aliased('totalCount') + directive());
    if (chance(0.4)) {
      const infos = ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor', '__typename'];
      const asked = infos.filter(() => chance(0.5));
      if (asked.includes('hasPreviousPage')) used.add('hasPreviousPage');
      parts.push(`pageInfo { ${asked.join(' ') || 'hasNextPage'} }`);
    }
    return parts.join(' ') || '__typename';
  };

  const root = (): string => {
    const resource = pick(resources);
    const key = `r${names++}`;
    if (resource.kind === 'singleton') return `${key}: ${resource.one} { ${record(resource, 2)} }`;
    const known = ids.get(resource.model) ?? ['none'];
    if (chance(0.15)) {
      used.add('node');
      const other = pick(resources);
      return `${key}: node(id: ${given('ID!', pick(known))}) { __typename ... on ${resource.model} { ${record(resource, 2)} } ... on ${other.model} { ${record(other, 1)} } id }`;
    }
    if (chance(0.3))
      return `${key}: ${resource.one}(id: ${given('ID!', pick(known))})${directive()} { ${record(resource, 3)} }`;
    const parent = resource.parents[0]?.resource.model ?? 'none';
    const scope = resource.kind === 'child' ? [`parentId: ${given('ID!', pick(ids.get(parent) ?? ['none']))}`] : [];
    return `${key}: ${resource.many}${list([...scope, ...page(resource)])} { ${connection(resource)} }`;
  };

  const fields = Array.from({ length: chance(0.8) ? 1 : 3 }, root).join('\n');
  const query = `query${list(declared)} { ${fields} }\n${fragments.join('\n')}`;
  // The gateway computes titles, and PostgreSQL truncates long names.
  return { query, variables, features: used, isLeftToResolvers: /displayTitle|x{63}/.test(query) };
}
