/** Invalid keys, and keys without the scope. */
import type { Attempt, KeyName } from '../attempt.js';
import type { Deed } from '../deed.js';
import { beforeOperations, type Guard, refusal } from '../guard.js';

const shut = (key: KeyName): Guard => ({
  name: `key: ${key}`,
  skips: beforeOperations,
  graphql: { spoil: (attempt) => ({ ...attempt, key }), refusals: [refusal(401, 'UNAUTHENTICATED')] },
  rest: {
    spoil: (call) => ({ ...call, key }),
    refusals: [refusal(401, key === 'none' ? 'api_key_missing' : 'api_key_invalid')],
  },
});

const lacking = (name: string, key: KeyName, skips: (deed: Deed) => string | undefined): Guard => {
  const spoil = (attempt: Attempt) => ({ ...attempt, key });
  return {
    name: `scope: ${name}`,
    skips,
    graphql: { spoil, refusals: [refusal('field', 'FORBIDDEN')] },
    rest:
      name === 'shows what only writers wrote'
        ? 'REST answers such a key with the id alone'
        : {
            spoil: (call) => ({ ...call, key }),
            refusals: [refusal(403, 'forbidden')],
          },
  };
};

const isReadingById = ({ field }: Deed) => field === 'node' || field === 'nodes';

export const accessGuards: Guard[] = [
  ...(['none', 'unknown', 'expired', 'revoked'] as const).map(shut),
  lacking('of another area', 'another area', () => undefined),
  lacking('to write', 'reads only', ({ kind }) => (kind === 'query' ? 'a reader may read' : undefined)),
  lacking('to read', 'writes only', ({ kind }) => (kind === 'query' ? undefined : 'a writer may write')),
  lacking('shows what only writers wrote', 'writes only', (deed) =>
    deed.kind === 'query' || !deed.shows || isReadingById(deed) ? 'it shows nothing of the record' : undefined,
  ),
];
