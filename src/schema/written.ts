import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../context.js';
import type { Resource } from '../model/resource.js';
import { type Mutation, performAndRead, performAndReadMany } from '../records/change/perform.js';

/** Runs a write, and reads the written record as selected, in one transaction. */
export const written = (
  context: RequestContext,
  info: GraphQLResolveInfo,
  resource: Resource,
  mutation: Mutation<{ id: string }>,
) => performAndRead(context, resource, mutation, queryFromInfo({ context, info }));

/** The same for many records, in the order of the ids that the write returns. */
export const writtenMany = (
  context: RequestContext,
  info: GraphQLResolveInfo,
  resource: Resource,
  mutation: Mutation<readonly string[]>,
) => performAndReadMany(context, resource, mutation, queryFromInfo({ context, info }));
