import fc from 'fast-check';
import { expect } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import type { Action, Status } from '../../src/model/lifecycle.js';
import { type Resource, singletonId } from '../../src/model/resource.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seed } from '../support/seed.js';
import { journalFollower } from './new-entries.js';
import { inputOf, selection, stored, withoutIds } from './random-record.js';

/** Two gateways, each on a database of its own: one compiles, in the other the resolvers answer everything. */
export interface Twins {
  ours: TestGateway;
  theirs: TestGateway;
  /** Compares the new entries of both journals since the last call. */
  compareJournals(): Promise<void>;
  close(): Promise<unknown>;
}

export async function startTwins(database: Provider): Promise<Twins> {
  const ours = await startGateway({ database });
  const theirs = await startGateway({ database, compiled: false });
  const [ourNew, theirNew] = [await journalFollower(ours), await journalFollower(theirs)];
  const compareJournals = async () => expect(sameIds(await ourNew())).toEqual(sameIds(await theirNew()));
  return { ours, theirs, compareJournals, close: () => Promise.all([ours.close(), theirs.close()]) };
}

/** The id of any record. */
export const anId = /[a-z-]+_[0-9a-z]{26}/g;

const sameIds = (entries: readonly object[]): unknown => JSON.parse(JSON.stringify(entries).replaceAll(anId, 'an id'));

/** The ids of two otherwise equal records; those of a singleton are the same. */
export async function twinRecords({ ours, theirs }: Twins, resource: Resource, input: object) {
  if (resource.kind === 'singleton') return { ourId: singletonId(resource), theirId: singletonId(resource) };
  const query = `mutation ($input: Create${resource.model}Input!) { record: create${resource.model}(input: $input) { record { id } } }`;
  const create = async (gateway: TestGateway): Promise<string> =>
    (await gateway.graphql(query, { input })).body.data.record.record.id;
  const [ourId, theirId] = await Promise.all([create(ours), create(theirs)]);
  return { ourId, theirId };
}

export interface Ids {
  ourId: unknown;
  theirId: unknown;
}

/** Sends the operation about each twin to its gateway; the answers and the stored rows must be the same. */
export async function compared(
  twins: Twins,
  resource: Resource,
  query: string,
  { ourId, theirId }: Ids,
  variables: object = {},
) {
  const [ours, theirs] = await Promise.all([
    answerOf(twins.ours, query, { ...variables, id: ourId }),
    answerOf(twins.theirs, query, { ...variables, id: theirId }),
  ]);
  expect(withoutIds(ours)).toEqual(withoutIds(theirs));
  // What the schema does not know would be refused by both, and compare nothing.
  expect(JSON.stringify(ours.errors ?? [])).not.toContain('GRAPHQL_VALIDATION_FAILED');
  expect(keysIn(ours.data?.record)).toEqual(keysIn(theirs.data?.record));
  const [one, other] = await Promise.all([
    stored(twins.ours, resource, String(ourId)),
    stored(twins.theirs, resource, String(theirId)),
  ]);
  expect(withoutIds(one)).toEqual(withoutIds(other));
  return ours;
}

/** The names in an answer, and in its record, in their order. */
const keysIn = (answer: { record?: object | null } | null | undefined) => [
  Object.keys(answer ?? {}),
  Object.keys(answer?.record ?? {}),
];

/** Making one takes longer than creating its record. */
const inputs = new Map<Resource, object>();

/** Equal records with lines, in the given state. */
export async function newTwins(twins: Twins, resource: Resource, status: Status = 'draft') {
  const input = inputs.get(resource) ?? fc.sample(inputOf(resource), { seed, numRuns: 1 })[0] ?? {};
  inputs.set(resource, input);
  const ids = await twinRecords(twins, resource, input);
  if (status !== 'draft') await compared(twins, resource, moving(resource, 'submit', 'status'), ids);
  if (status === 'cancelled') await compared(twins, resource, moving(resource, 'cancel', 'status'), ids);
  return ids;
}

export function updating(resource: Resource, shown = selection(resource)): string {
  const { model } = resource;
  return `mutation ($id: ID!, $input: Update${model}Input!, $expectedVersion: Int) {
    record: update${model}(id: $id, input: $input, expectedVersion: $expectedVersion) { record { id ${shown} } }
  }`;
}

export function moving(resource: Resource, action: Action, shown = selection(resource)): string {
  return `mutation ($id: ID!, $expectedVersion: Int) {
    record: ${action}${resource.model}(expectedVersion: $expectedVersion, id: $id) { record { id ${shown} } }
  }`;
}

async function answerOf(gateway: TestGateway, query: string, variables: Record<string, unknown>) {
  return (await gateway.graphql(query, variables)).body;
}
