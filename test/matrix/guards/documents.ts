/** Invalid documents: errors that GraphQL's validation finds. */

import type { GraphqlCall } from '../calls.js';
import { asText, beforeFields, type Guard, refusal } from '../guard.js';

const invalid = [refusal('request', 'GRAPHQL_VALIDATION_FAILED')];
const noDocuments = 'REST has no documents';

const invalidDocument = (
  name: string,
  change: (call: GraphqlCall) => Partial<GraphqlCall>,
  refusals = invalid,
): Guard => ({
  name: `document: ${name}`,
  skips: beforeFields,
  graphql: { makeInvalid: (call) => ({ ...call, ...change(call) }), refusals },
  rest: noDocuments,
});

export const documentGuards: Guard[] = [
  invalidDocument('a field there is not', ({ selection }) => ({ selection: `${selection} nope` })),
  invalidDocument('an argument there is not', ({ args }) => ({ args: { ...args, nope: 'x' } })),
  invalidDocument('a field without its selection', ({ beside }) => ({
    beside: `${beside} one: apiKeys two: createApiKey`,
  })),
  invalidDocument('a variable that nothing uses', () => ({ declared: '$spare: Int' })),
  invalidDocument('a variable that is declared twice', () => ({ declared: '$spare: Int, $spare: Int' })),
  invalidDocument('a variable that is not declared', ({ selection }) => ({
    selection: `${selection} x: __typename @skip(if: $no)`,
  })),
  invalidDocument('a fragment that nothing uses', () => ({ definitions: 'fragment Spare on AssetRepair { id }' })),
  invalidDocument('a fragment there is not', ({ selection }) => ({ selection: `${selection} ...Nowhere` })),
  invalidDocument('a fragment within itself', ({ selection }) => ({
    selection: `${selection} ...Round`,
    definitions: 'fragment Round on AssetRepair { ...Round }',
  })),
  invalidDocument('a directive there is not', ({ selection }) => ({ selection: `${selection} x: __typename @nope` })),
  invalidDocument('one name for two fields', ({ selection }) => ({ selection: `${selection} x: __typename x: id` })),
  invalidDocument('two operations of one name', () => ({ definitions: 'query Main { __typename }' }), [
    ...invalid,
    refusal(400, 'OPERATION_RESOLUTION_FAILURE'),
  ]),
  {
    name: 'document: no GraphQL',
    skips: beforeFields,
    graphql: {
      makeInvalid: (call) => ({ ...call, selection: `${call.selection} {` }),
      refusals: [refusal('request', 'GRAPHQL_PARSE_FAILED')],
    },
    rest: noDocuments,
  },
  {
    name: 'document: a subscription',
    skips: beforeFields,
    graphql: {
      makeInvalid: (call) => ({ ...call, kind: 'subscription' }),
      // A client that accepts events may subscribe, but there is no subscription of this name.
      refusals: [refusal(400, 'OPERATION_RESOLUTION_FAILURE'), ...invalid],
    },
    rest: noDocuments,
  },
  {
    name: 'document: none',
    skips: beforeFields,
    graphql: {
      makeInvalid: (call) => ({ ...call, parameters: { query: '' } }),
      refusals: [refusal(400, 'BAD_REQUEST')],
      skips: asText,
    },
    rest: noDocuments,
  },
  {
    name: 'document: a number',
    skips: beforeFields,
    graphql: {
      makeInvalid: (call) => ({ ...call, parameters: { query: 5 } }),
      refusals: [refusal(400, 'BAD_REQUEST'), refusal('request', 'GRAPHQL_PARSE_FAILED')],
      skips: asText,
    },
    rest: noDocuments,
  },
];
