import { type GraphQLOutputType, getNullableType, isEnumType } from 'graphql';
import { statuses } from '../../model/lifecycle.js';
import { NotCompilable } from './selection.js';

/** The names of the states of documents in the enum of a field, by the stored texts. @throws NotCompilable */
export function statusNames(output: GraphQLOutputType): ReadonlyMap<unknown, string> {
  const type = getNullableType(output);
  if (!isEnumType(type)) throw new NotCompilable();
  return new Map(statuses.map((status) => [status, String(type.serialize(status))]));
}
