/** Random read operations over the whole model, valid by construction. */
import { type Resource, resources } from '../../src/model/resource.js';

/** Ids to ask for, by model; some of them of nothing. */
export type KnownIds = ReadonlyMap<string, readonly string[]>;

export interface RandomOperation {
  query: string;
  variables: Record<string, unknown>;
}

/** A number from 0 up to 1, the same sequence for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function randomOperation(random: () => number, ids: KnownIds): RandomOperation {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fragments: string[] = [];
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const chance = (probability: number) => random() < probability;
  let names = 0;

  /** The value as a variable or a literal. */
  const given = (type: string, value: unknown): string => {
    if (chance(0.4)) return JSON.stringify(value);
    const name = `v${names++}`;
    const standard = chance(0.2) ? ` = ${JSON.stringify(value)}` : '';
    if (!standard || chance(0.5)) variables[name] = value;
    declared.push(`$${name}: ${type}${standard}`);
    return `$${name}`;
  };

  const aliased = (field: string) =>
    chance(0.3) ? `a${names++}_${'x'.repeat(chance(0.05) ? 70 : 1)}: ${field}` : field;
  const list = (items: string[]) => (items.length > 0 ? `(${items.join(', ')})` : '');

  const page = () => {
    const items: string[] = [];
    if (chance(0.6)) items.push(`first: ${given('Int', pick([1, 2, 3, 20, 1000]))}`);
    if (chance(0.3)) items.push(`offset: ${given('Int', pick([0, 1, 2, 50]))}`);
    return items;
  };

  const record = (resource: Resource, depth: number): string => {
    const columns = [...resource.fields.map(({ name }) => name), 'id', 'version', '__typename'];
    if (resource.timestamps) columns.push('createdAt', 'updatedAt');
    if (resource.documentLike && chance(0.1)) columns.push('displayTitle', 'allowedActions');
    const parts = Array.from({ length: 1 + Math.floor(random() * 6) }, () => aliased(pick(columns)));
    if (depth > 0) {
      for (const { field, resource: child } of resource.lines) {
        if (!chance(0.5)) continue;
        const slice: string[] = [];
        if (chance(0.3)) slice.push(`limit: ${given('Int', pick([1, 2, 1000]))}`);
        if (chance(0.3)) slice.push(`offset: ${given('Int', pick([0, 1, 5]))}`);
        if (chance(0.1)) slice.push('where: { idx: { gt: 1 } }');
        parts.push(`l${names++}: ${field}${list(slice)} { ${record(child, depth - 1)} }`);
      }
      for (const { field, resource: parent } of resource.parents) {
        if (chance(0.4)) parts.push(`p${names++}: ${field} { ${record(parent, depth - 1)} }`);
      }
    }
    if (chance(0.15)) parts.push(`... on ${resource.model} { ${aliased(pick(columns))} }`);
    if (chance(0.1)) parts.push('... on Node { id }');
    if (chance(0.1)) parts.push(`... @include(if: ${chance(0.5)}) { id }`);
    if (chance(0.15)) {
      const name = `F${names++}`;
      fragments.push(`fragment ${name} on ${resource.model} { ${aliased(pick(columns))} }`);
      parts.push(`...${name}`);
    }
    return parts.join(' ');
  };

  const connection = (resource: Resource): string => {
    const parts: string[] = [];
    if (chance(0.7)) parts.push(`${aliased('nodes')} { ${record(resource, 2)} }`);
    if (chance(0.3)) parts.push(`edges { cursor node { ${record(resource, 1)} } }`);
    if (chance(0.4)) parts.push(aliased('totalCount'));
    if (chance(0.4)) {
      const infos = ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor', '__typename'];
      parts.push(`pageInfo { ${infos.filter(() => chance(0.5)).join(' ') || 'hasNextPage'} }`);
    }
    return parts.join(' ') || '__typename';
  };

  const root = (): string => {
    const resource = pick(resources);
    const key = `r${names++}`;
    if (resource.kind === 'singleton') return `${key}: ${resource.one} { ${record(resource, 2)} }`;
    const known = ids.get(resource.model) ?? ['none'];
    if (chance(0.5)) return `${key}: ${resource.one}(id: ${given('ID!', pick(known))}) { ${record(resource, 3)} }`;
    const parent = resource.parents[0]?.resource.model ?? 'none';
    const scope = resource.kind === 'child' ? [`parentId: ${given('ID!', pick(ids.get(parent) ?? ['none']))}`] : [];
    return `${key}: ${resource.many}${list([...scope, ...page()])} { ${connection(resource)} }`;
  };

  const fields = Array.from({ length: chance(0.8) ? 1 : 3 }, root).join('\n');
  const query = `query${list(declared)} { ${fields} }\n${fragments.join('\n')}`;
  return { query, variables };
}
