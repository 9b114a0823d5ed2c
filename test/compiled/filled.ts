/** Records of every type with odd values, to be asked for. */
import { expect } from 'vitest';
import type { Resource } from '../../src/model/resource.js';
import type { TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { oddNumbers, oddTexts } from './odd-values.js';
import type { KnownIds } from './random-list.js';

/** Five records of each type, with up to eight lines in each list: the same in every gateway, but for their ids. */
export async function filled(gateway: Pick<TestGateway, 'graphql'>): Promise<KnownIds> {
  const ids = new Map<string, string[]>();
  const remember = (model: string, id: string) => ids.set(model, [...(ids.get(model) ?? ['none']), id]);
  let turn = 0;
  const value = (type: string) => {
    turn++;
    if (type === 'String') return oddTexts[turn % oddTexts.length];
    if (type === 'Boolean') return turn % 2 === 0;
    return type === 'Int' ? turn % 100 : oddNumbers[turn % oddNumbers.length];
  };
  const input = (fields: (typeof resources)[number]['fields'], skipped: Set<string>) =>
    Object.fromEntries(
      fields
        .filter(({ name, required }) => !skipped.has(name) && (required || turn++ % 3 > 0))
        .map(({ name, type }) => [name, value(type)]),
    );
  /** Texts that name records by their ids; serial numbers are among the odd texts. */
  const naming = ({ links }: Resource) =>
    Object.fromEntries(
      links
        .filter(({ by }) => by === 'id')
        .map(({ text, resource: { model } }) => [text, ids.get(model)?.[turn++ % 3] ?? 'none']),
    );
  // Linked records are created first.
  const isNamed = ({ waysBack }: Resource) => Number(waysBack.length > 0);
  for (const resource of [...resources].sort((one, other) => isNamed(other) - isNamed(one))) {
    if (resource.kind !== 'resource') continue;
    for (let count = 0; count < 5; count++) {
      const lines = resource.lines.map(({ field, resource: child }) => [
        field,
        Array.from({ length: count * 2 }, () => ({
          ...input(child.fields, new Set([child.scope ?? '', 'idx', 'parentType'])),
          ...naming(child),
        })),
      ]);
      const { body } = await gateway.graphql(
        `mutation ($input: Create${resource.model}Input!) { r: create${resource.model}(input: $input) { record { id createdAt ${resource.lines.map(({ field }) => `${field} { id }`).join(' ')} } } }`,
        {
          input: {
            ...input(resource.fields, new Set(['status'])),
            ...naming(resource),
            ...Object.fromEntries(lines),
          },
        },
      );
      expect(body.errors).toBeUndefined();
      remember(resource.model, body.data.r.record.id);
      remember('DateTime', body.data.r.record.createdAt);
      for (const { field, resource: child } of resource.lines) {
        for (const { id } of body.data.r.record[field]) remember(child.model, id);
      }
    }
  }
  return ids;
}
