/** Which record types a key may watch. */
import type { GraphQLSchema } from 'graphql';
import type { Identity } from '../../change/context.js';
import type { Subscription } from '../../graphql/operation/admission.js';
import type { Resource } from '../../model/resource.js';
import { mayRead, readableAmong } from '../../model/scopes.js';
import { streamSourceOf } from './schema/subscriptions.js';

/** The record types that can be watched. */
export const watchable = (schema: GraphQLSchema): Resource[] =>
  Object.values(schema.getSubscriptionType()?.getFields() ?? {}).flatMap(
    (field) => streamSourceOf(field).resource ?? [],
  );

/** @throws FORBIDDEN if the key may not read a type that the subscription names, or none at all */
export function requireStreamScopes(resources: readonly Resource[], { root }: Subscription, identity: Identity): void {
  const { resource } = streamSourceOf(root.field);
  readableAmong(identity, resources, resource ? [resource.model] : namedTypes(root.args));
}

/** Whether `changes` reports records of a type: those it asks for, or all that the key may read. */
export function watches(
  args: Readonly<Record<string, unknown>>,
  identity: Identity,
): (resource: Pick<Resource, 'model' | 'area'>) => boolean {
  const types = namedTypes(args);
  return types ? ({ model }) => types.includes(model) : (resource) => mayRead(identity, resource);
}

/** The types that `changes` names; undefined if it names none. */
export const namedTypes = ({ types }: Readonly<Record<string, unknown>>): string[] | undefined =>
  Array.isArray(types) ? types.map(String) : undefined;
