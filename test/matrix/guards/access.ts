/** Invalid keys, and keys without the scope. */
import type { GraphqlCall } from '../calls.js';
import { beforeOperations, type Guard, refusal } from '../guard.js';
import type { KeyName } from '../keys.js';
import type { TestOperation } from '../test-operation.js';

const invalidKey = (key: KeyName): Guard => ({
  name: `key: ${key}`,
  skips: beforeOperations,
  graphql: { makeInvalid: (call) => ({ ...call, key }), refusals: [refusal(401, 'UNAUTHENTICATED')] },
  rest: {
    makeInvalid: (call) => ({ ...call, key }),
    refusals: [refusal(401, key === 'none' ? 'api_key_missing' : 'api_key_invalid')],
  },
});

const missingScope = (name: string, key: KeyName, skips: (operation: TestOperation) => string | undefined): Guard => {
  const makeInvalid = (call: GraphqlCall) => ({ ...call, key });
  return {
    name: `scope: ${name}`,
    skips,
    graphql: { makeInvalid, refusals: [refusal('field', 'FORBIDDEN')] },
    rest:
      name === 'answer of a write by a key that may not read'
        ? 'REST answers such a key with the id alone'
        : {
            makeInvalid: (call) => ({ ...call, key }),
            refusals: [refusal(403, 'forbidden')],
          },
  };
};

const isReadingById = ({ field }: TestOperation) => field === 'node' || field === 'nodes';

export const accessGuards: Guard[] = [
  ...(['none', 'unknown', 'expired', 'revoked'] as const).map(invalidKey),
  missingScope('of another area', 'another area', () => undefined),
  missingScope('to write', 'reads only', ({ kind }) => (kind === 'query' ? 'a reader may read' : undefined)),
  missingScope('to read', 'writes only', ({ kind }) => (kind === 'query' ? undefined : 'a writer may write')),
  missingScope('answer of a write by a key that may not read', 'writes only', (operation) =>
    operation.kind === 'query' || !operation.showsRecord || isReadingById(operation)
      ? 'it shows nothing of the record'
      : undefined,
  ),
];
