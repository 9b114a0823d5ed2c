/**
 * The guards of operations also apply to streams of changes (`Accept: text/event-stream`): each is tested in each
 * transport, with each form of the text. `notTested` has the reasons for guards that are not tested here.
 */
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import type { GraphqlCall } from './calls.js';
import type { Reply } from './client.js';
import { documentOf } from './document.js';
import { type GatewayFixture, startGatewayFixture } from './gateway-fixture.js';
import { type GraphqlVariant, graphqlVariants } from './graphql-variants.js';
import type { Guard, Refusal } from './guard.js';
import { guards } from './guards/index.js';
import { type OutgoingRequest, requestOf, trustedName } from './outgoing-request.js';
import type { Target, TestOperation } from './test-operation.js';

const target: Target = { marker: 'm', id: 'asset-repair_00000000000000000000000000', lines: ['a', 'b'] };
const streams: Pick<GraphqlCall, 'field' | 'args'>[] = [
  { field: 'assetRepairChanged', args: { id: target.id } },
  { field: 'assetRepairChanged', args: { where: { asset: { eq: 'lathe' } } } },
  { field: 'changes', args: { types: ['ASSET_REPAIR'] } },
];
const selectRepair = (selection: string) => `record { ... on AssetRepair { ${selection} } }`;
const testOperationOf = ({ field, args }: Pick<GraphqlCall, 'field' | 'args'>): TestOperation => ({
  ...{ name: 'a record', kind: 'query', field, showsRecord: true, selectRepair },
  args: () => args,
  selection: 'position record { id }',
  timesDone: () => 0,
});

const notTested: Record<string, string> = {
  'document: a subscription': 'a stream is a subscription',
  'value: null where one is required': 'no argument of a stream is required',
};

const graphqlCallOf = (stream: Pick<GraphqlCall, 'field' | 'args'>): GraphqlCall => ({
  ...{
    ...stream,
    kind: 'subscription',
    selection: 'position record { id }',
    beside: '',
    declared: '',
    definitions: '',
  },
  ...{ parameters: {}, headers: {}, key: 'everything' },
});

interface StreamCell {
  name: string;
  guard: Guard;
  call: GraphqlCall;
  variant: GraphqlVariant;
  refusals: readonly Refusal[];
}

const acceptsEvents = ['text/event-stream', 'application/json, text/event-stream', 'text/event-stream;q=0.5, */*'];
const transports = graphqlVariants.transport.filter((transport) => transport !== 'HEAD');

function cellsOf(guard: Guard, number: number): StreamCell[] {
  const { graphql } = guard;
  if (
    typeof graphql === 'string' ||
    guard.state ||
    guard.scenario ||
    guard.needs ||
    guard.liftedReason ||
    notTested[guard.name]
  )
    return [];
  return transports.flatMap((transport, first) =>
    graphqlVariants.text.flatMap((text, second): StreamCell[] => {
      const index = number + first + second;
      const stream = streams[index % streams.length] ?? { field: '', args: {} };
      const operation = testOperationOf(stream);
      const isGet = transport === 'GET';
      const variant: GraphqlVariant = {
        ...{ transport, text, form: 'plain', document: 'one operation', accept: 'json' },
        arguments: graphqlVariants.arguments[index % 3] ?? 'literals',
        operationName: index % 2 === 0 ? 'right' : 'absent',
        contentType: isGet ? 'none' : 'plain',
        extensions: 'absent',
        idempotencyKey: index % 2 === 0 ? 'present' : 'absent',
        scheme: graphqlVariants.scheme[index % graphqlVariants.scheme.length] ?? 'Bearer',
        cost: 'not asked',
      };
      if (guard.skips?.(operation) ?? graphql.skips?.({ ...variant, operation: 'a record' })) return [];
      if (guard.name.startsWith('accept')) return [];
      const call = graphql.makeInvalid(graphqlCallOf(stream), operation, target);
      const accept = acceptsEvents[index % acceptsEvents.length] ?? '';
      const headers = { accept, ...call.headers };
      return [
        {
          name: `${transport}, ${text}, ${stream.field}`,
          guard,
          call: { ...call, headers },
          variant,
          refusals: graphql.refusals,
        },
      ];
    }),
  );
}

const tests = guards.flatMap((guard, number) => {
  const cells = cellsOf(guard, number);
  return cells.length > 0 ? [{ name: guard.name, cells }] : [];
});

describe('streams', () => {
  const fixtures = new Map<boolean, GatewayFixture>();
  beforeAll(async () => {
    const listed = tests.flatMap(({ cells }) =>
      cells
        .filter(({ call, variant }) => isTrusted(variant) && !call.untrusted)
        .map(({ call, variant }) => documentOf(call, variant).query),
    );
    const file = join(freshFolder(), 'trusted.json');
    writeFileSync(file, JSON.stringify(Object.fromEntries(listed.map((text) => [trustedName(text), text]))));
    fixtures.set(false, await startGatewayFixture('sqlite', 'normal', []));
    const withoutList = await startGatewayFixture('sqlite', 'normal', []);
    const { databaseUrl } = withoutList.gateway.config;
    const gateway = await startGateway({ env: { DATABASE_URL: databaseUrl, TRUSTED_DOCUMENTS: file } });
    fixtures.set(true, {
      ...withoutList,
      gateway,
      close: async () => {
        await gateway.close();
        await withoutList.close();
      },
    });
  });
  afterAll(async () => {
    for (const fixture of fixtures.values()) await fixture.close();
  });

  test('are tested with most guards of operations', () => {
    expect(tests.length).toBeGreaterThan(35);
  });

  test.each(tests)('$name', async ({ cells }) => {
    const problems: string[] = [];
    for (const cell of cells) {
      const fixture = fixtures.get(isTrusted(cell.variant));
      if (!fixture) throw new Error('The gateway is not running');
      const problem = await problemOf(cell, fixture);
      if (problem) problems.push(`${cell.name}: ${problem}`);
    }
    expect(problems.slice(0, 10), `${problems.length} of ${cells.length}`).toEqual([]);
  });
});

const isTrusted = ({ text }: GraphqlVariant): boolean => text.startsWith('trusted');

async function problemOf(
  { call, variant, refusals }: StreamCell,
  { gateway, tokenOf }: GatewayFixture,
): Promise<string | undefined> {
  const outgoing = (text: GraphqlVariant['text']) => requestOf(call, { ...variant, text }, tokenOf(call.key), 'unique');
  if (variant.text === 'by its hash') await firstOf(gateway.url, outgoing('sent with its hash'));
  const reply = await firstOf(gateway.url, outgoing(variant.text));
  const difference = `${reply.status} ${reply.text.slice(0, 200)}`;
  const isStream = reply.headers['content-type']?.startsWith('text/event-stream') === true;
  if (refusals.length === 0)
    return reply.status === 200 && isStream && /"position":"\d+"/.test(reply.text) ? undefined : difference;
  const { errors, data } = JSON.parse((isStream ? /^data: ?(.+)$/m.exec(reply.text)?.[1] : reply.text) ?? '{}');
  const code = errors?.[0]?.extensions?.code;
  if (code === 'PERSISTED_QUERY_NOT_FOUND' && variant.text === 'by its hash') return undefined;
  const isRefused = refusals.some((refusal) => refusal.code === code) && data == null;
  // Only clients that accept nothing but events get a refusal as an event.
  const isForm = isStream ? call.headers.accept === 'text/event-stream' && reply.status === 200 : true;
  return isRefused && isForm ? undefined : difference;
}

/** The answer; for a stream, its first event. */
function firstOf(url: string, { method, path, headers, body, inChunks }: OutgoingRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length =
      body === undefined
        ? {}
        : inChunks
          ? { 'transfer-encoding': 'chunked' }
          : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = request(url + path, { method, headers: { ...headers, ...length } });
    outgoing.on('error', reject);
    outgoing.on('response', (answer) => {
      let text = '';
      const done = () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        outgoing.off('error', reject).on('error', () => undefined);
        outgoing.destroy();
      };
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (/^data: ?.+\n\n/m.test(text)) done();
      });
      answer.on('end', done).on('error', () => undefined);
    });
    outgoing.end(body);
  });
}
