/** All attacks. The gateway must withstand each of them while other clients are served as usual. */
import type { Fault } from '../faults/fault.js';
import { flood } from './flood.js';
import { floods } from './floods.js';
import { longReads } from './long-reads.js';
import { rebindingWebhook } from './rebinding-webhook.js';
import { type PostRequest, repeatedRequest } from './repeated-request.js';
import { slowConnections } from './slow-connections.js';
import { streamAttacks } from './stream-attacks.js';
import { wrongKeys } from './wrong-keys.js';

const graphqlPost = (query: string, variables = {}): PostRequest => ({
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
});
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const tooComplex = { status: 400, code: 'query_too_complex' };
const tooLarge = { status: 413, code: 'body_too_large' };
const repairs = '/api/assets/asset-repair';

/** Doubling at each of 18 levels: 262,144 records in a few lines. */
const fanOut = `{ assetRepair(id: "x") { ...F0 } } ${times(18, (level) => {
  const next = level < 17 ? `...F${level + 1}` : 'id';
  const selection = `consumedItems(limit: 1) { assetRepair { ${next} } }`;
  return `fragment F${level} on AssetRepair { a: ${selection} b: ${selection} }`;
})}`;

const arrays = '['.repeat(40_000) + ']'.repeat(40_000);
const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'x');

export const attacks: Fault[] = [
  repeatedRequest('20,000 aliases', graphqlPost(`{ ${times(20_000, (i) => `a${i}: __typename`)} }`), tooComplex),
  repeatedRequest('5,000 levels', graphqlPost(`${'{a'.repeat(5_000)}${'}'.repeat(5_000)}`), tooComplex),
  repeatedRequest('100,000 brackets', graphqlPost(`{ a(b: ${'['.repeat(100_000)}`), tooComplex),
  repeatedRequest(
    'circular fragments',
    graphqlPost(
      '{ assetRepairs { nodes { ...A } } } fragment A on AssetRepair { ...B } fragment B on AssetRepair { ...A }',
    ),
    { status: 200, code: 'GRAPHQL_VALIDATION_FAILED' },
  ),
  repeatedRequest('fan-out of 2^18', graphqlPost(fanOut), tooComplex),
  repeatedRequest('a body of 25 MB', { path: repairs, body: megabytes(25) }, tooLarge),
  repeatedRequest('a body of 25 MB in chunks', { path: '/graphql', body: megabytes(25), inChunks: true }, tooLarge),
  repeatedRequest(
    '40,000 nested arrays, REST',
    { path: repairs, body: `{"failure_date": "2026-01-01", "asset": ${arrays}}` },
    { status: 400, code: 'json_invalid' },
  ),
  repeatedRequest(
    '40,000 nested arrays, GraphQL',
    {
      path: '/graphql',
      body: `{"query": "${create}", "variables": {"input": {"failureDate": "2026-01-01", "asset": ${arrays}}}}`,
    },
    { status: 400, code: 'json_invalid' },
  ),
  wrongKeys,
  slowConnections,
  rebindingWebhook,
  ...floods.flatMap(flood),
  ...streamAttacks,
  longReads,
];
