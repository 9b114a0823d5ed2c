/**
 * Tests every guard in every way in. Both are lists, `guards/` and `ways.ts`; the requests are derived from them. After
 * each guard the database is checked: refused requests have changed nothing, and what must happen once has happened
 * once.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { workers } from '../faults/fault.js';
import { providers } from '../support/database.js';
import { hasTurn } from '../support/thorough.js';
import { ask } from './ask.js';
import { type Cell, cellsOf } from './cells.js';
import { find, footprint } from './found.js';
import type { House } from './guard.js';
import { guards } from './guards/index.js';
import { isTrusted, type OpenHouse, openHouse } from './house.js';
import { whileIn } from './houses.js';

const surfaces = ['graphql', 'rest'] as const;
const asked = guards.flatMap((guard, number) =>
  surfaces.map((surface) => ({ name: `${guard.name}, ${surface}`, guard, cells: cellsOf(guard, number, surface) })),
);

/**
 * The cells for a database: every twenty-fourth row of a guard on one of the two databases, and the next row on the
 * other; on the next day the rows after them, so that in the course of days each guard is tested in every row. Guards
 * with the same rows begin at different rows, so that together they cover every row. Guards that refuse before the
 * database is used have fewer rows each.
 */
function askedOn(provider: Provider) {
  const turn = providers.indexOf(provider);
  return asked
    .map(({ name, guard, cells }, number) => {
      const among = providers.length * (guard.isBeforeDatabase ? 36 : 12);
      const isMine = (_: Cell, index: number) => hasTurn(index + number + turn, among);
      return { name, cells: cells.filter(isMine) };
    })
    .filter(({ cells }) => cells.length > 0);
}

const houseOf = ({ guard }: Cell): House => guard.house ?? 'as ever';

describe.each(providers)('on %s', (provider) => {
  const asked = askedOn(provider);
  const houses = openedOnce(
    provider,
    asked.flatMap(({ cells }) => cells),
  );
  afterAll(() => houses.close());

  test.each(asked)('$name', async ({ cells }) => {
    const problems: string[] = [];
    for (const trusted of [false, true]) {
      const mine = cells.filter((cell) => isTrusted(cell) === trusted);
      const [first] = mine;
      if (!first) continue;
      const house = await houses.of(houseOf(first), trusted);
      problems.push(...(await askAll(mine, house, houseOf(first))));
    }
    expect(problems.slice(0, 20), `${problems.length} cells`).toEqual([]);
  });
});

/** What is wrong with the answers to the cells, and with what they left. */
async function askAll(cells: readonly Cell[], house: OpenHouse, kind: House): Promise<string[]> {
  const problems: string[] = [];
  const before = await footprint(house.gateway.database);
  await whileIn(kind, house, async (atOnce) => {
    const left = [...cells];
    await workers(atOnce, async () => {
      const cell = left.pop();
      const problem = cell && (await ask(cell, house).catch((error: unknown) => `threw ${error}`));
      if (problem) problems.push(`${cell.name}: ${problem}`);
      return cell !== undefined;
    });
  });
  const found = await find(
    house.gateway.database,
    cells.flatMap(({ targets }) => targets),
  );
  for (const cell of cells) {
    const [one, other] = cell.targets.map((target) => cell.deed.done(found, target));
    const wanted = wantedOf(cell);
    if (one !== wanted[0] || other !== wanted[1]) {
      problems.push(`${cell.name}: done ${one} and ${other} times, not ${wanted.join(' and ')}`);
    }
  }
  const isRefused = cells.every(({ refusals }) => refusals.length > 0);
  const after = await footprint(house.gateway.database);
  if (isRefused && before !== after) problems.push(`written: ${before} became ${after}`);
  return problems;
}

/** How often the deed must have been done to each target. */
function wantedOf({ deed, guard, refusals, row }: Cell): [number, number] {
  if (refusals.length > 0 || ['a preview', 'save for trial'].includes(deed.name) || deed.kind === 'query')
    return [0, 0];
  return [1, row.text === 'by its hash' && !guard.play ? 1 : 0];
}

/** Each kind of gateway, started at its first use. */
function openedOnce(provider: Provider, all: readonly Cell[]) {
  const opened = new Map<string, Promise<OpenHouse>>();
  return {
    of(kind: House, trusted: boolean): Promise<OpenHouse> {
      const name = `${kind} ${trusted}`;
      const cells = all.filter((cell) => houseOf(cell) === kind && isTrusted(cell) === trusted);
      const house = opened.get(name) ?? openHouse(provider, kind, cells);
      opened.set(name, house);
      return house;
    },
    async close(): Promise<void> {
      for (const house of opened.values()) await (await house).close();
    },
  };
}
