/** Two equal records of every type, one to be written through REST, the other through GraphQL. */
import type { Field } from '../../src/model/field.js';
import { type Resource, singletonId } from '../../src/model/resource.js';
import type { TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import type { Target } from './places.js';
import type { Surface } from './value-requests.js';

/** By resource. `required` of a line holds its parent; the parents of twins are twins. A singleton is its own twin. */
export type Twins = Map<Resource, Record<Surface, Target>>;

export async function makeTwins(gateway: TestGateway): Promise<Twins> {
  const twins: Twins = new Map();
  const parentsFirst = resources.toSorted(
    (left, right) => Number(left.kind === 'child') - Number(right.kind === 'child'),
  );
  for (const resource of parentsFirst) {
    const make = (surface: Surface) => makeTarget(gateway, resource, parentOf(resource, surface, twins));
    twins.set(resource, { REST: await make('REST'), GraphQL: await make('GraphQL') });
  }
  return twins;
}

async function makeTarget(gateway: TestGateway, resource: Resource, parent: Record<string, string>): Promise<Target> {
  const required = JSON.stringify(parent).slice(1, -1);
  if (resource.kind === 'singleton') return { resource, id: singletonId(resource), required };
  const needed = resource.fields.filter((field) => field.required && field.name !== 'idx');
  const body = { ...Object.fromEntries(needed.map((field) => [field.restName, anyValue(field)])), ...parent };
  const answer = await gateway.rest('POST', resource.base, body);
  if (answer.status !== 201) throw new Error(`${resource.model}: ${answer.text}`);
  return { resource, id: answer.body.id, required };
}

function parentOf(resource: Resource, surface: Surface, twins: Twins): Record<string, string> {
  if (!resource.scope) return {};
  const reference = resource.fields.find(({ name }) => name === resource.scope)?.restName ?? '';
  const parent = resource.parents[0];
  return { [reference]: parent ? (twins.get(parent.resource)?.[surface].id ?? '') : `elsewhere-${surface}` };
}

function anyValue({ type }: Field): string | number | boolean {
  return { String: 'x', Float: 1, Int: 1, Boolean: true }[type];
}
