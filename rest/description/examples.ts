/** Examples of bodies, records and errors: records from the generator of samples, errors from the code that answers them. */
import { errors } from '../../src/model/errors/errors.js';
import type { GatewayError } from '../../src/model/errors/gateway-error.js';
import type { Field } from '../../src/model/field.js';
import type { Resource } from '../../src/model/resource.js';
import { sampleDocument } from '../../src/model/samples/sample-document.js';
import { type Chance, chanceOf, storyOf } from '../../src/model/samples/story.js';
import { InvalidRequest, restProblem, toRestError } from '../errors.js';
import { idLike } from '../parameters.js';

export type Example = string | number | boolean | null;

/** The values of a sample, by the fields. The same story for all types, and nothing left out of which a value is known. */
function sampleOf(resource: Resource): (field: Field) => Example {
  const chance: Chance = { ...chanceOf(3), chance: (probability) => probability >= 1 };
  const values = sampleDocument(resource, chance, storyOf(chance, Date.UTC(2026, 10, 16, 8), 42));
  const parent = resource.parents[0]?.resource;
  return ({ name }) => {
    // A reference of a line is the id of its parent.
    if (name === resource.scope && parent) return idLike(parent);
    if (name === 'idx') return 1;
    const value = values[name];
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
  };
}

/** The body of a create: what is required, and one more field. */
export function exampleBody(resource: Resource): Record<string, Example> {
  const valueIn = sampleOf(resource);
  const needed = resource.fields.filter(({ required, name }) => required && name !== 'idx');
  const given = new Set([...needed, ...changedIn(resource, valueIn)]);
  return Object.fromEntries(Array.from(given, (field) => [field.restName, valueIn(field)]));
}

/** The body of an update: one field. */
export function exampleChange(resource: Resource): Record<string, Example> {
  const valueIn = sampleOf(resource);
  return Object.fromEntries(changedIn(resource, valueIn).map((field) => [field.restName, valueIn(field)]));
}

/** A field to change: the first that may be empty, or else the last. */
function changedIn({ fields, scope }: Resource, valueIn: (field: Field) => Example): Field[] {
  const plain = fields.filter((field) => field.name !== scope && isPlain(field) && valueIn(field) !== null);
  return [plain.find(({ nullable }) => nullable) ?? plain.at(-1)].filter((field) => field !== undefined);
}

/** Whether it is a value like any other: no state and no place. */
const isPlain = ({ name }: Field): boolean => !['status', 'idx', 'parentType'].includes(name);

export function exampleRecord(resource: Resource): Record<string, Example> {
  const valueIn = sampleOf(resource);
  return {
    id: idLike(resource),
    ...Object.fromEntries(resource.fields.map((field) => [field.restName, valueIn(field)])),
    ...(resource.timestamps && { created_at: '2026-11-16T08:00:00.000Z', updated_at: '2026-11-20T14:30:00.000Z' }),
  };
}

export const exampleOf = (refusal: GatewayError): unknown =>
  JSON.parse(toRestError(refusal, { requestId: '6f1e7a52-1c0f-4f57-9d55-0d9a3c1b7e10' }).body ?? 'null');

/** Refusals, at most one of each status. */
export const exampleRefusals: readonly GatewayError[] = [
  new InvalidRequest([restProblem('failure_date', 'parameter_missing', 'is required')]),
  errors.apiKeyMissing(),
  errors.notFound('Asset Repair', 'asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd'),
  errors.badRequest('not_acceptable'),
  errors.invalidState({
    title: 'Asset Repair',
    target: 'submitted',
    current: 'submitted',
    expected: 'draft',
    allowed: ['cancel'],
  }),
  errors.versionConflict('Asset Repair', 4),
];
