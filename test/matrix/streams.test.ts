/**
 * The guards of operations also apply to streams of changes (`Accept: text/event-stream`): each is tested in each
 * transport, with each way to name the document. `left` has the reasons for guards that are not tested here.
 */
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import type { Attempt } from './attempt.js';
import type { Reply } from './client.js';
import type { Deed, Target } from './deed.js';
import { documentOf } from './document.js';
import type { Guard, Refusal } from './guard.js';
import { guards } from './guards/index.js';
import { type OpenHouse, openHouse } from './house.js';
import { type Outgoing, requestOf, trustedName } from './request.js';
import { type Way, ways } from './ways.js';

const target: Target = { marker: 'm', id: 'asset-repair_00000000000000000000000000', lines: ['a', 'b'] };
const streams: Pick<Attempt, 'field' | 'args'>[] = [
  { field: 'assetRepairChanged', args: { id: target.id } },
  { field: 'assetRepairChanged', args: { where: { asset: { eq: 'lathe' } } } },
  { field: 'changes', args: { types: ['AssetRepair'] } },
];
const inside = (selection: string) => `record { ... on AssetRepair { ${selection} } }`;
const deedOf = ({ field, args }: Pick<Attempt, 'field' | 'args'>): Deed => ({
  ...{ name: 'a record', kind: 'query', field, shows: true, inside },
  args: () => args,
  selection: 'position record { id }',
  done: () => 0,
});

const left: Record<string, string> = {
  'document: a subscription': 'it is one',
  'value: null where there must be one': 'no argument of a stream must be there',
};

const attemptOf = (stream: Pick<Attempt, 'field' | 'args'>): Attempt => ({
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

interface Asked {
  name: string;
  guard: Guard;
  attempt: Attempt;
  way: Way;
  refusals: readonly Refusal[];
}

const acceptsEvents = ['text/event-stream', 'application/json, text/event-stream', 'text/event-stream;q=0.5, */*'];
const transports = ways.transport.filter((transport) => transport !== 'HEAD');

function askedOf(guard: Guard, number: number): Asked[] {
  const { graphql } = guard;
  if (typeof graphql === 'string' || guard.house || guard.play || guard.needs || guard.lifts || left[guard.name])
    return [];
  return transports.flatMap((transport, first) =>
    ways.text.flatMap((text, second): Asked[] => {
      const turn = number + first + second;
      const stream = streams[turn % streams.length] ?? { field: '', args: {} };
      const deed = deedOf(stream);
      const isGet = transport === 'GET';
      const way: Way = {
        ...{ transport, text, form: 'plain', document: 'one operation', accept: 'json' },
        arguments: ways.arguments[turn % 3] ?? 'literals',
        operationName: turn % 2 === 0 ? 'right' : 'absent',
        contentType: isGet ? 'none' : 'plain',
        extensions: 'absent',
        idempotencyKey: turn % 2 === 0 ? 'present' : 'absent',
        scheme: ways.scheme[turn % ways.scheme.length] ?? 'Bearer',
        cost: 'not asked',
      };
      if (guard.skips?.(deed) ?? graphql.skips?.({ ...way, deed: 'a record' })) return [];
      if (guard.name.startsWith('accept')) return [];
      const attempt = graphql.spoil(attemptOf(stream), deed, target);
      const accept = acceptsEvents[turn % acceptsEvents.length] ?? '';
      const headers = { accept, ...attempt.headers };
      return [
        {
          name: `${transport}, ${text}, ${stream.field}`,
          guard,
          attempt: { ...attempt, headers },
          way,
          refusals: graphql.refusals,
        },
      ];
    }),
  );
}

const asked = guards.flatMap((guard, number) => {
  const cells = askedOf(guard, number);
  return cells.length > 0 ? [{ name: guard.name, cells }] : [];
});

describe('streams', () => {
  const houses = new Map<boolean, OpenHouse>();
  beforeAll(async () => {
    const listed = asked.flatMap(({ cells }) =>
      cells
        .filter(({ attempt, way }) => isTrusted(way) && !attempt.untrusted)
        .map(({ attempt, way }) => documentOf(attempt, way).query),
    );
    const file = join(freshFolder(), 'trusted.json');
    writeFileSync(file, JSON.stringify(Object.fromEntries(listed.map((text) => [trustedName(text), text]))));
    houses.set(false, await openHouse('sqlite', 'as ever', []));
    const trusting = await openHouse('sqlite', 'as ever', []);
    const { databaseUrl } = trusting.gateway.config;
    const gateway = await startGateway({ env: { DATABASE_URL: databaseUrl, TRUSTED_DOCUMENTS: file } });
    houses.set(true, {
      ...trusting,
      gateway,
      close: async () => {
        await gateway.close();
        await trusting.close();
      },
    });
  });
  afterAll(async () => {
    for (const house of houses.values()) await house.close();
  });

  test('are asked of most guards of operations', () => {
    expect(asked.length).toBeGreaterThan(35);
  });

  test.each(asked)('$name', async ({ cells }) => {
    const problems: string[] = [];
    for (const cell of cells) {
      const house = houses.get(isTrusted(cell.way));
      if (!house) throw new Error('The house is not open');
      const problem = await problemOf(cell, house);
      if (problem) problems.push(`${cell.name}: ${problem}`);
    }
    expect(problems.slice(0, 10), `${problems.length} of ${cells.length}`).toEqual([]);
  });
});

const isTrusted = ({ text }: Way): boolean => text.startsWith('trusted');

async function problemOf(
  { attempt, way, refusals }: Asked,
  { gateway, tokenOf }: OpenHouse,
): Promise<string | undefined> {
  const outgoing = (text: Way['text']) => requestOf(attempt, { ...way, text }, tokenOf(attempt.key), 'unique');
  if (way.text === 'by its hash') await firstOf(gateway.url, outgoing('sent with its hash'));
  const reply = await firstOf(gateway.url, outgoing(way.text));
  const found = `${reply.status} ${reply.text.slice(0, 200)}`;
  const isStream = reply.headers['content-type']?.startsWith('text/event-stream') === true;
  if (refusals.length === 0)
    return reply.status === 200 && isStream && /"position":\d+/.test(reply.text) ? undefined : found;
  const { errors, data } = JSON.parse((isStream ? /^data: ?(.+)$/m.exec(reply.text)?.[1] : reply.text) ?? '{}');
  const code = errors?.[0]?.extensions?.code;
  if (code === 'PERSISTED_QUERY_NOT_FOUND' && way.text === 'by its hash') return undefined;
  const isRefused = refusals.some((refusal) => refusal.code === code) && data == null;
  // Only clients that accept nothing but events get a refusal as an event.
  const isForm = isStream ? attempt.headers.accept === 'text/event-stream' && reply.status === 200 : true;
  return isRefused && isForm ? undefined : found;
}

/** The answer; for a stream, its first event. */
function firstOf(url: string, { method, path, headers, body, inChunks }: Outgoing): Promise<Reply> {
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
