/**
 * Tests every guard with every operation, in every variant of a request. The requests are derived from these lists:
 * `guards/`, `operations/`, and the columns of `graphql-variants.ts` and `rest-variants.ts`. After each guard the database
 * is checked: refused requests have changed nothing, and what must happen once has happened once.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { workers } from '../faults/fault.js';
import { providers } from '../support/database.js';
import { isChosen } from '../support/thorough.js';
import { type Cell, cellsOf } from './cells.js';
import { type GatewayFixture, isTrusted, startGatewayFixture } from './gateway-fixture.js';
import type { GatewayState } from './guard.js';
import { guards } from './guards/index.js';
import { storedRecords, tableTotals } from './stored-records.js';
import { testCell } from './test-cell.js';
import { whileInState } from './while-in-state.js';

const surfaces = ['graphql', 'rest'] as const;
const tests = guards.flatMap((guard, number) =>
  surfaces.map((surface) => ({ name: `${guard.name}, ${surface}`, guard, cells: cellsOf(guard, number, surface) })),
);

/**
 * The cells for a database: every twenty-fourth row of a guard on one of the two databases, and the next row on the
 * other, but at least one on each. Guards with the same rows begin at different rows, so that together they cover every
 * row. Guards that refuse before the database is used have fewer rows each. `.ci/run` tests every row on both.
 */
function testsOn(provider: Provider) {
  const turn = providers.indexOf(provider);
  return tests
    .map(({ name, guard, cells }, number) => {
      const among = Math.min(cells.length, providers.length * (guard.isBeforeDatabase ? 36 : 12));
      const isMine = (_: Cell, index: number) => isChosen(index + number + turn, among);
      return { name, cells: cells.filter(isMine) };
    })
    .filter(({ cells }) => cells.length > 0);
}

const stateOf = ({ guard }: Cell): GatewayState => guard.state ?? 'normal';

describe.each(providers)('on %s', (provider) => {
  const tests = testsOn(provider);
  const fixtures = startedOnce(
    provider,
    tests.flatMap(({ cells }) => cells),
  );
  afterAll(() => fixtures.close());

  test.each(tests)('$name', async ({ cells }) => {
    const problems: string[] = [];
    for (const trusted of [false, true]) {
      const mine = cells.filter((cell) => isTrusted(cell) === trusted);
      const [first] = mine;
      if (!first) continue;
      const fixture = await fixtures.of(stateOf(first), trusted);
      problems.push(...(await testCells(mine, fixture, stateOf(first))));
    }
    expect(problems.slice(0, 20), `${problems.length} cells`).toEqual([]);
  });
});

/** Sends the requests of the cells. Resolves with what is wrong with the answers, and with the records afterwards. */
async function testCells(cells: readonly Cell[], fixture: GatewayFixture, state: GatewayState): Promise<string[]> {
  const problems: string[] = [];
  const before = await tableTotals(fixture.gateway.database);
  await whileInState(state, fixture, async (atOnce) => {
    const left = [...cells];
    await workers(atOnce, async () => {
      const cell = left.pop();
      const problem = cell && (await testCell(cell, fixture).catch((error: unknown) => `threw ${error}`));
      if (problem) problems.push(`${cell.name}: ${problem}`);
      return cell !== undefined;
    });
  });
  const stored = await storedRecords(
    fixture.gateway.database,
    cells.flatMap(({ targets }) => targets),
  );
  for (const cell of cells) {
    const [one, other] = cell.targets.map((target) => cell.operation.timesDone(stored, target));
    const expected = expectedTimes(cell);
    if (one !== expected[0] || other !== expected[1]) {
      problems.push(`${cell.name}: took effect ${one} and ${other} times, not ${expected.join(' and ')}`);
    }
  }
  const isRefused = cells.every(({ refusals }) => refusals.length > 0);
  const after = await tableTotals(fixture.gateway.database);
  if (isRefused && before !== after) problems.push(`written: ${before} became ${after}`);
  return problems;
}

/** How often the operation must have taken effect on each target. */
function expectedTimes({ operation, guard, refusals, row }: Cell): [number, number] {
  if (
    refusals.length > 0 ||
    ['a preview', 'save with validateOnly'].includes(operation.name) ||
    operation.kind === 'query'
  )
    return [0, 0];
  return [1, row.text === 'by its hash' && !guard.scenario ? 1 : 0];
}

/** A gateway for each state, with and without trusted documents, started at its first use. */
function startedOnce(provider: Provider, all: readonly Cell[]) {
  const started = new Map<string, Promise<GatewayFixture>>();
  return {
    of(state: GatewayState, trusted: boolean): Promise<GatewayFixture> {
      const name = `${state} ${trusted}`;
      const cells = all.filter((cell) => stateOf(cell) === state && isTrusted(cell) === trusted);
      const fixture = started.get(name) ?? startGatewayFixture(provider, state, cells);
      started.set(name, fixture);
      return fixture;
    },
    async close(): Promise<void> {
      for (const fixture of started.values()) await (await fixture).close();
    },
  };
}
