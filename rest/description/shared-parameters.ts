/** The parameters that several endpoints have: described once, and referred to by their names. */
import type { RestOperation } from '../operations.js';
import {
  afterVersion,
  asOf,
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  limit,
  mostVersions,
  offset,
  type Parameter,
} from '../request/parameters.js';
import { type DescribedParameter, describeParameter } from './describe-parameter.js';
import type { Reference } from './responses.js';

const names: ReadonlyMap<Parameter, string> = new Map([
  [limit, 'Limit'],
  [offset, 'Offset'],
  [mostVersions, 'HistoryLimit'],
  [afterVersion, 'HistoryAfter'],
  [asOf, 'AsOf'],
  [ifMatch, 'IfMatch'],
  [ifNoneMatch, 'IfNoneMatch'],
  [idempotencyKey, 'IdempotencyKey'],
]);

const sharedName = ({ resource }: RestOperation, parameter: Parameter): string | undefined =>
  names.get(parameter) ?? (parameter.in === 'path' ? `${resource.model}Id` : undefined);

export const parametersOf = (endpoint: RestOperation): (DescribedParameter | Reference)[] =>
  endpoint.parameters.map((parameter) => {
    const name = sharedName(endpoint, parameter);
    return name ? { $ref: `#/components/parameters/${name}` } : describeParameter(parameter);
  });

export function parameterComponents(operations: readonly RestOperation[]): Record<string, DescribedParameter> {
  const found: Record<string, DescribedParameter> = {};
  for (const endpoint of operations)
    for (const parameter of endpoint.parameters) {
      const name = sharedName(endpoint, parameter);
      if (name) found[name] ??= describeParameter(parameter);
    }
  return found;
}
