/** Malicious requests, each refused at once while other clients are served as usual. */
import type { Fault } from '../faults/fault.js';
import { attack, type Blow } from './attack.js';
import { besideLongReads } from './long-reads.js';
import { rebindingWebhook } from './rebinding-webhook.js';
import { besiege } from './siege.js';
import { sieges } from './sieges.js';
import { slowConnections } from './slow-connections.js';
import { streamSieges } from './stream-sieges.js';
import { wrongKeys } from './wrong-keys.js';

const operation = (query: string, variables = {}): Blow => ({
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
  const way = `consumedItems(limit: 1) { assetRepair { ${next} } }`;
  return `fragment F${level} on AssetRepair { a: ${way} b: ${way} }`;
})}`;

const arrays = '['.repeat(40_000) + ']'.repeat(40_000);
const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'x');

export const attacks: Fault[] = [
  attack('20,000 aliases', operation(`{ ${times(20_000, (i) => `a${i}: __typename`)} }`), tooComplex),
  attack('5,000 levels', operation(`${'{a'.repeat(5_000)}${'}'.repeat(5_000)}`), tooComplex),
  attack('100,000 brackets', operation(`{ a(b: ${'['.repeat(100_000)}`), tooComplex),
  attack(
    'circular fragments',
    operation(
      '{ assetRepairs { nodes { ...A } } } fragment A on AssetRepair { ...B } fragment B on AssetRepair { ...A }',
    ),
    { status: 200, code: 'GRAPHQL_VALIDATION_FAILED' },
  ),
  attack('fan-out of 2^18', operation(fanOut), tooComplex),
  attack('a body of 25 MB', { path: repairs, body: megabytes(25) }, tooLarge),
  attack('a body of 25 MB in chunks', { path: '/graphql', body: megabytes(25), inChunks: true }, tooLarge),
  attack(
    '40,000 nested arrays, REST',
    { path: repairs, body: `{"failure_date": "2026-01-01", "asset": ${arrays}}` },
    { status: 400, code: 'json_invalid' },
  ),
  attack(
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
  ...sieges.flatMap(besiege),
  ...streamSieges,
  besideLongReads,
];
