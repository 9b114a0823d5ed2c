import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../context.js';
import type { Resource } from '../../model/resource.js';
import { type WriteProcedure, writeAndRead, writeAndReadMany } from '../../records/change/perform.js';

/** Runs a write, and reads the written record as selected, in one transaction. */
export const writeAndSelect = (
  context: RequestContext,
  info: GraphQLResolveInfo,
  resource: Resource,
  mutation: WriteProcedure<{ id: string }>,
) => writeAndRead(context, resource, mutation, queryFromInfo({ context, info }));

/** The same for many records, in the order of the ids that the write returns. */
export const writeAndSelectMany = (
  context: RequestContext,
  info: GraphQLResolveInfo,
  resource: Resource,
  mutation: WriteProcedure<readonly string[]>,
) => writeAndReadMany(context, resource, mutation, queryFromInfo({ context, info }));
