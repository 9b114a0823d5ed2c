import { ids } from '../../../src/query/ids.js';
import type { GraphqlCall } from '../calls.js';
import type { Target, TestOperation } from '../test-operation.js';
import { changes } from './changes.js';
import { lines } from './lines.js';
import { reads } from './reads.js';

/** All operations. Every guard is also tested with a new entry of these lists, in every variant of the request. */
export const operations: readonly TestOperation[] = [...reads, ...changes, ...lines];

const byName = new Map(operations.map((operation) => [operation.name, operation]));

export function operationNamed(name: string): TestOperation {
  const operation = byName.get(name);
  if (!operation) throw new Error(`There is no operation ${name}`);
  return operation;
}

/** A new target that does not exist yet. */
export function newTarget(marker: string): Target {
  const line = () => ids.next('asset-repair-consumed-item').id;
  return { marker, id: ids.next('asset-repair').id, lines: [line(), line()] };
}

/** The valid call of the operation. */
export function graphqlCallOf(operation: TestOperation, target: Target): GraphqlCall {
  const { kind, field, selection } = operation;
  const none = { beside: '', declared: '', definitions: '', parameters: {}, headers: {} };
  return { kind, field, args: operation.args(target), selection, ...none, key: 'everything' };
}
