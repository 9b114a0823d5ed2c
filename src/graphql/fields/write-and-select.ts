import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { type WriteProcedure, writeAndRead, writeAndReadMany } from '../../change/perform.js';
import type { Resource } from '../../model/resource.js';

/** Runs a write, and reads the written record as the payload's `record` selects it, in one transaction. */
export const writeAndSelect = async (
  context: RequestContext,
  info: GraphQLResolveInfo,
  resource: Resource,
  mutation: WriteProcedure<{ id: string }>,
) => ({ record: await writeAndRead(context, resource, mutation, recordSelected(context, info, resource)) });

/** What is selected of the record in a payload. */
export const recordSelected = (
  context: RequestContext,
  info: GraphQLResolveInfo,
  { model }: Resource,
  field: 'record' | 'records' = 'record',
) => queryFromInfo({ context, info, typeName: model, path: [field], select: { id: true } });

/** The same for many records, in the order of the ids that the write returns. */
export const writeAndSelectMany = async (
  context: RequestContext,
  info: GraphQLResolveInfo,
  resource: Resource,
  mutation: WriteProcedure<readonly string[]>,
) => ({
  records: await writeAndReadMany(context, resource, mutation, recordSelected(context, info, resource, 'records')),
});
