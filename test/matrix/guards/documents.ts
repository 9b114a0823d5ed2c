/** Invalid documents: errors that GraphQL's validation finds. */

import type { Attempt } from '../attempt.js';
import { asText, beforeFields, type Guard, refusal } from '../guard.js';

const invalid = [refusal('request', 'GRAPHQL_VALIDATION_FAILED')];
const noDocuments = 'REST has no documents';

const spoiled = (name: string, change: (attempt: Attempt) => Partial<Attempt>, refusals = invalid): Guard => ({
  name: `document: ${name}`,
  skips: beforeFields,
  graphql: { spoil: (attempt) => ({ ...attempt, ...change(attempt) }), refusals },
  rest: noDocuments,
});

export const documentGuards: Guard[] = [
  spoiled('a field there is not', ({ selection }) => ({ selection: `${selection} nope` })),
  spoiled('an argument there is not', ({ args }) => ({ args: { ...args, nope: 'x' } })),
  spoiled('a field without its selection', ({ beside }) => ({ beside: `${beside} one: apiKeys two: createApiKey` })),
  spoiled('a variable that nothing uses', () => ({ declared: '$spare: Int' })),
  spoiled('a variable that is declared twice', () => ({ declared: '$spare: Int, $spare: Int' })),
  spoiled('a variable that is not declared', ({ selection }) => ({
    selection: `${selection} x: __typename @skip(if: $no)`,
  })),
  spoiled('a fragment that nothing uses', () => ({ definitions: 'fragment Spare on AssetRepair { id }' })),
  spoiled('a fragment there is not', ({ selection }) => ({ selection: `${selection} ...Nowhere` })),
  spoiled('a fragment within itself', ({ selection }) => ({
    selection: `${selection} ...Round`,
    definitions: 'fragment Round on AssetRepair { ...Round }',
  })),
  spoiled('a directive there is not', ({ selection }) => ({ selection: `${selection} x: __typename @nope` })),
  spoiled('one name for two fields', ({ selection }) => ({ selection: `${selection} x: __typename x: id` })),
  spoiled('two operations of one name', () => ({ definitions: 'query Deed { __typename }' }), [
    ...invalid,
    refusal(400, 'OPERATION_RESOLUTION_FAILURE'),
  ]),
  {
    name: 'document: no GraphQL',
    skips: beforeFields,
    graphql: {
      spoil: (attempt) => ({ ...attempt, selection: `${attempt.selection} {` }),
      refusals: [refusal('request', 'GRAPHQL_PARSE_FAILED')],
    },
    rest: noDocuments,
  },
  {
    name: 'document: a subscription',
    skips: beforeFields,
    graphql: {
      spoil: (attempt) => ({ ...attempt, kind: 'subscription' }),
      // A client that accepts events may subscribe, but there is no subscription of this name.
      refusals: [refusal(400, 'OPERATION_RESOLUTION_FAILURE'), ...invalid],
    },
    rest: noDocuments,
  },
  {
    name: 'document: none',
    skips: beforeFields,
    graphql: {
      spoil: (attempt) => ({ ...attempt, parameters: { query: '' } }),
      refusals: [refusal(400, 'BAD_REQUEST')],
      skips: asText,
    },
    rest: noDocuments,
  },
  {
    name: 'document: a number',
    skips: beforeFields,
    graphql: {
      spoil: (attempt) => ({ ...attempt, parameters: { query: 5 } }),
      refusals: [refusal(400, 'BAD_REQUEST'), refusal('request', 'GRAPHQL_PARSE_FAILED')],
      skips: asText,
    },
    rest: noDocuments,
  },
];
