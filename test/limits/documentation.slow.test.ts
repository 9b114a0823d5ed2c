/**
 * `docs/limits.md` and `docs/cost.md` are right: their numbers are those of the code, and the gateway gives the answers
 * that they show.
 */
import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { getIntrospectionQuery, getNullableType, isInputObjectType, isListType, isObjectType, parse } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { keptFor } from '../../src/features/idempotency/run-idempotently.js';
import { longestOverlap } from '../../src/features/keys/api-keys.js';
import { longestStall, mostUnread } from '../../src/features/live/client-end.js';
import { streamedFilterBounds } from '../../src/features/live/schema/subscriptions.js';
import { longQueries } from '../../src/gateway/execution/resolvers.js';
import { mostWaiting } from '../../src/gateway/http/answer/send.js';
import { lateTicks, tickTimes } from '../../src/gateway/http/deadline.js';
import { BODY_LIMIT, deepestJson } from '../../src/gateway/http/read-body.js';
import { keepAlive, slowestClient } from '../../src/gateway/http/server.js';
import { longestPath } from '../../src/graphql/guards/check-input.js';
import { constraintOf, filterBounds, mostAlternatives, mostObjects } from '../../src/graphql/inputs/filters.js';
import { mostErrors } from '../../src/graphql/limits/answer-meter.js';
import * as sizes from '../../src/graphql/limits/sizes.js';
import { mostOperands } from '../../src/graphql/types/columns.js';
import { mostProblems } from '../../src/model/errors/problem.js';
import { largestInt32 } from '../../src/model/field.js';
import {
  defaultGroups,
  defaultPageSize,
  largestBatch,
  largestKept,
  largestPageSize,
  longestGivenName,
  longestId,
  mostKeys,
  mostLines,
  mostObjectsSent,
  mostOrdered,
  mostOrders,
} from '../../src/model/limits.js';
import { costOf } from '../support/cost.js';
import type { Answer, TestGateway } from '../support/gateway.js';
import { restOperations } from '../support/rest-operations.js';
import { schema } from '../support/schema.js';
import { settings } from '../support/settings.js';
import { sharedGateway } from '../support/shared-gateway.js';
import { type Attempt, attemptsAt } from './attempts.js';
import { answerIn, costText, examples, numbersIn, type Row, shownOperations, tableOf } from './page.js';

const second = 1000;
const page = [1, largestPageSize];

/** Every limit of the page, by its name there, with its numbers in the code. */
const requests: Record<string, readonly number[]> = {
  'request line and headers together': [maxHeaderSize],
  body: [BODY_LIMIT, 1],
  'nesting of a JSON body': [deepestJson],
  'time to send headers and body, from the first byte or from connecting': [slowestClient / second],
  'time in which a client reads nothing of its answer': [slowestClient / second],
  'time an idle connection is kept open': [keepAlive / second],
  'time for the work and for the look-up of the key, without that to read the body': [30],
  'requests worked on at the same time': [1000],
  [`overload: checks of the event loop in a row, ${tickTimes.every} ms apart, that run ${tickTimes.late} ms late`]: [
    lateTicks,
  ],
  'requests of a key per minute': [],
  'streams open at the same time': [10_000],
  'streams of a key open at the same time': [1000],
  'events that the client of a stream has not read': [mostUnread.events],
  'bytes that the client of a stream has not read, and once all together have not read 32 MB': [
    mostUnread.bytes / 1024 / 1024,
    mostUnread.bytesWhenFull / 1024,
  ],
  'time in which the client of a stream reads nothing of an event': [longestStall / second],
  'bytes of an answer': [32],
  'bytes of an answer to a request with an `Idempotency-Key`': [largestKept / 1024 / 1024],
  'bytes of large answers waiting to be sent, until reads are refused, until all requests are refused': [
    mostWaiting.reads / 1024 / 1024,
    mostWaiting.all / 1024 / 1024,
  ],
  '`Idempotency-Key`': [255],
  'time an answer is kept for its `Idempotency-Key`': [keptFor / 3600 / second],
  'problems reported in one answer': [mostProblems],
  'time for which a query with 20,000 values or more by its cost, answered by resolvers, keeps the next such query waiting':
    [longQueries.alone / second],
  'errors in the answer to a query': [mostErrors],
};

const operations: Record<string, readonly number[]> = {
  '`lines`': [sizes.mostTextLines],
  '`tokens`': [sizes.mostTokens],
  '`name`': [sizes.longestName],
  '`brackets`': [sizes.deepestBrackets],
  '`fragments`': [sizes.mostFragments],
  '`aliases`': [sizes.mostAliases],
  '`directives`': [sizes.mostDirectives],
  '`pairs`': [sizes.mostPairs],
  '`depth`': [sizes.deepestFields],
  '`root_fields`': [sizes.mostRootFields],
  '`previews`': [sizes.mostPreviews],
  '`characters`': [sizes.mostArgumentCharacters],
  '`cost`': [100_000],
};

const values: Record<string, readonly number[]> = {
  'an `integer`': [-largestInt32 - 1, largestInt32],
  'id of a parent': [1, longestId],
  'lines of each kind sent with their record': [mostLines],
  'records in `createMany…`, `updateMany…`, `deleteMany…`, `actOnMany…`': [largestBatch],
  '`limit` of a REST list': [...page, defaultPageSize],
  '`first`, `last` of a list': [0, largestPageSize, defaultPageSize],
  '`offset`': [0, largestInt32],
  '`limit` of lines within their record': page,
  'ids in `nodes`': [largestPageSize],
  'ids of lines in a `reorder…`': [mostOrdered],
  'objects in one variable': [mostObjectsSent],
  'fields in `orderBy`': [mostOrders],
  'fields in `groupBy`': [mostKeys],
  'groups of an aggregate, `first`': [...page, defaultGroups],
  'conditions in one `and` or `or`': [mostAlternatives],
  'depth of a filter, counted in names and list positions': [longestPath],
  'objects in a filter': [mostObjects],
  'values in a filter': [mostOperands],
  'name of an API key': [1, longestGivenName],
  'time for which a rotated API key and its replacement are both valid': [0, longestOverlap, longestOverlap / 86_400],
  '`limit` of `apiUses`': [...page, 100],
};

let gateway: TestGateway;
let attempts: Record<string, Attempt>;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
  attempts = attemptsAt(gateway);
});

describe.each([
  ['requests', requests, 0],
  ['operations', operations, 1],
  ['values', values, 0],
])('its table of %s', (name, known, column) => {
  const rows = tableOf(name);

  test('has every limit', () => {
    expect(rows.map(({ limit }) => limit)).toEqual(Object.keys(known));
  });

  test.each(rows)('has the numbers of the code: $limit', ({ limit, cells }) => {
    expect(numbersIn(cells[column] ?? '')).toEqual(known[limit]);
  });

  test('names settings with their defaults', () => {
    const named = rows.flatMap(({ cells }) =>
      cells.slice(column + 1).flatMap((cell) => {
        const [, setting] = /^`([A-Z_]+)`$/.exec(cell) ?? [];
        return setting ? [[setting, numbersIn(cells[column] ?? '')[0]]] : [];
      }),
    );
    const defaults = new Map(settings.map((setting) => [setting.name, setting.default]));
    for (const [setting, value] of named) expect(defaults.get(String(setting))).toBe(value?.toString());
    expect(named).toHaveLength({ requests: 6, operations: 1, values: 0 }[name] ?? 0);
  });

  // Of the limits of requests some take time or many requests: they have tests of their own.
  test.skipIf(name === 'requests')('has no limit that is not tried', () => {
    expect(rows.filter(({ limit }) => !(limit in attempts)).map(({ limit }) => limit)).toEqual([]);
  });

  test.each(rows)('answers what it says beyond the limit, and not at it: $limit', async (row) => {
    const attempt = attempts[row.limit];
    if (!attempt) return;
    const bounds = known[row.limit] ?? [];
    const [least, most] = /\d to /.test(row.cells[column] ?? '') ? bounds : [undefined, bounds[0]];
    const refusal = name === 'operations' ? { ...tooComplex, measure: row.limit.slice(1, -1) } : refusalIn(row);
    if (least !== undefined) expect(outcome(await attempt(least - 1))).toEqual(refusal);
    expect(outcome(await attempt((most ?? 0) + 1))).toEqual(refusal);
    const taken = outcome(await attempt(most ?? 0));
    if (taken.code) expect([row.limit, taken.code]).toEqual([nestedJson, 'parameter_invalid']);
  });
});

/** JSON with the deepest permitted nesting is parsed, and then refused because it is no string. */
const nestedJson = 'nesting of a JSON body';

test('larger headers are refused as it says', async () => {
  const answer = await gateway.rest('GET', '/healthz', undefined, { 'x-padding': 'x'.repeat(maxHeaderSize) });
  const { code } = answer.body.error;
  expect([answer.status, answer.headers.get('connection'), code]).toEqual([431, 'close', 'headers_too_large']);
});

describe('the cost of its examples', () => {
  test('is shown for each', () => {
    expect(examples.length).toBe(shownOperations);
    expect(examples.length).toBeGreaterThan(7);
  });

  test.each(examples)('is what it says: $title', async ({ cost, sum, query, variables }) => {
    expect(added(sum)).toBe(cost);
    const { body } = await gateway.graphql(query, variables, { 'X-GraphQL-Cost': '1' });
    expect(body.errors).toBeUndefined();
    expect(body.extensions.cost).toEqual({ requested: cost, limit: gateway.config.costLimit });
  });
});

test('the largest pages and introspection cost no more than it says', () => {
  const [, pages, introspection] =
    /costs less than ([\d,]+), introspection of the whole schema less than ([\d,]+)/.exec(costText) ?? [];
  const lists = restOperations.filter(({ operation }) => operation === 'list');
  const costs = lists.map(({ document }) => costOf(schema, document, { parentId: 'x', limit: largestPageSize }) ?? NaN);
  expect(Math.max(...costs)).toBeLessThan(numbersIn(pages ?? '')[0] ?? 0);
  expect(costOf(schema, parse(getIntrospectionQuery()))).toBeLessThan(numbersIn(introspection ?? '')[0] ?? 0);
});

test('the decisions have the same numbers', () => {
  const decisions = readFileSync('docs/decisions.md', 'utf8').replaceAll(/\s+/g, ' ');
  const written = (number: number) => number.toLocaleString('en-US');
  expect(decisions).toContain(`| ids of parents | 1 to ${longestId} characters`);
  expect(decisions).toContain(`at most ${written(mostLines)} of each kind in one input`);
});

test('every list that can be sent is bounded', () => {
  const types = Object.values(schema.getTypeMap());
  const ofFields = types
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()))
    .flatMap(({ args }) => args);
  const ofInputs = types.filter(isInputObjectType).flatMap((type) => Object.values(type.getFields()));
  const lists = [...ofFields, ...ofInputs].filter(({ type }) => isListType(getNullableType(type)));
  expect(lists.length).toBeGreaterThan(100);
  const unbounded = lists.filter((list) => constraintOf(list).maximumLength === undefined);
  expect(unbounded.map(({ name }) => name)).toEqual([]);
});

test('every argument that holds a filter is bounded', () => {
  const filters = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()))
    .flatMap(({ args }) => args)
    .filter(({ type }) => isInputObjectType(type) && /Filter$/.test(type.name));
  expect(filters.length).toBeGreaterThan(100);
  const bounds = constraintOf(filterBounds);
  const streamed = constraintOf(streamedFilterBounds);
  const isBounded = (argument: (typeof filters)[number]) => {
    const { mostObjects, mostValues } = constraintOf(argument);
    return [bounds, streamed].some((each) => each.mostObjects === mostObjects && each.mostValues === mostValues);
  };
  expect(filters.filter((argument) => !isBounded(argument)).map(({ name }) => name)).toEqual([]);
});

const tooComplex = { status: 400, code: 'query_too_complex' };

function refusalIn({ cells }: Row) {
  const { status = 200, code } = answerIn(cells.at(-1) ?? '');
  return { status, code, measure: undefined };
}

function outcome({ status, body }: Answer) {
  const { reason, measure } = body?.errors?.[0]?.extensions ?? {};
  return { status, code: body?.error?.code ?? reason, measure };
}

/** The value of a sum of products, `1 + 2 * (3 + 4)`. */
function added(sum: string): number {
  const inner = /\(([^()]*)\)/.exec(sum);
  if (inner) return added(sum.replace(inner[0], String(added(inner[1] ?? ''))));
  const products = sum.split('+').map((part) => part.split('*').map(Number));
  return products.reduce((total, factors) => total + factors.reduce((one, other) => one * other, 1), 0);
}
