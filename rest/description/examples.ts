/** Examples of bodies, records and errors: records from the generator of samples, errors from the code that answers them. */
import { errors } from '../../src/model/errors/errors.js';
import type { GatewayError } from '../../src/model/errors/gateway-error.js';
import type { Field } from '../../src/model/field.js';
import type { Resource } from '../../src/model/resource.js';
import { sampleDocument } from '../../src/model/samples/sample-document.js';
import { type Chance, chanceOf, storyOf } from '../../src/model/samples/story.js';
import { restProblem, toRestError, toRestProblems } from '../errors.js';
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

/** An answer that refuses with a status; undefined for one of which there is no example. */
export function exampleError(status: number): unknown {
  const error = exampleErrors[status];
  const request = { requestId: '6f1e7a52-1c0f-4f57-9d55-0d9a3c1b7e10' };
  const missing = restProblem('failure_date', 'parameter_missing', 'is required');
  if (status === 400) return bodyOf(toRestProblems([missing], request).body);
  return error && bodyOf(toRestError(error, request).body);
}

const bodyOf = (body: string | undefined): unknown => JSON.parse(body ?? 'null');

const exampleErrors: Readonly<Record<number, GatewayError>> = {
  401: errors.apiKeyMissing(),
  404: errors.notFound('Asset Repair', 'asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd'),
  406: errors.badRequest('not_acceptable'),
  409: errors.invalidState({
    title: 'Asset Repair',
    target: 'submitted',
    current: 'submitted',
    expected: 'draft',
    allowed: ['cancel'],
  }),
  410: errors.historyIncomplete('Asset Repair', new Date('2025-01-31T09:30:00Z'), new Date('2025-06-01T00:00:00Z')),
  412: errors.versionConflict('Asset Repair', 4),
  422: errors.idempotencyKeyReused(),
};
