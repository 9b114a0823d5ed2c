/** The matrix: for every guard rows that cover every pair of ways in and every pair of a way in and a deed. */
import type { Attempt, RestAttempt } from './attempt.js';
import { type Columns, type Covering, covering, type Row } from './covering.js';
import type { Deed, Target } from './deed.js';
import { attemptOf, deedNamed, deeds, newTarget } from './deeds/index.js';
import type { Asked, Guard, Refusal } from './guard.js';
import { type RestWay, restContradiction, restWays } from './rest-ways.js';
import { contradiction, type Way, ways } from './ways.js';

export type Surface = 'graphql' | 'rest';

/** One request by which a guard is tested. */
export interface Cell {
  /** Its name in a report. */
  name: string;
  guard: Guard;
  surface: Surface;
  row: Row;
  deed: Deed;
  /** The target of the request, and a second one for guards that need two. */
  targets: readonly [Target, Target];
  refusals: readonly Refusal[];
}

const names: Columns = { deed: deeds.map(({ name }) => name) };

/** The rows in which a guard is tested, and the pairs that are left out, each with the reason. */
export function rowsOf(guard: Guard, surface: Surface): Covering {
  const asked = guard[surface];
  if (typeof asked === 'string') return { rows: [], left: new Map([['all', asked]]) };
  const { skips, lifts } = guard;
  const isRefused = asked.refusals.length > 0;
  const known = made.find(
    (one) =>
      one.surface === surface &&
      one.skips === skips &&
      one.ways === asked.skips &&
      one.lifts === lifts &&
      one.isRefused === isRefused,
  );
  if (known) return known.covering;
  const contradicts = surface === 'graphql' ? contradiction : restContradiction;
  const objection = (row: Row) =>
    (skips && row.deed !== undefined ? skips(deedNamed(row.deed)) : undefined) ??
    contradicts(row, lifts) ??
    asked.skips?.(withMethod(row)) ??
    (isRefused && row.transport === 'HEAD' && row.text === 'by its hash' ? notKept : undefined);
  const rows = covering({ ...names, ...(surface === 'graphql' ? ways : restWays) }, objection);
  made.push({ surface, skips, ways: asked.skips, lifts, isRefused, covering: rows });
  return rows;
}

const notKept = 'the text of what is refused is not kept, and HEAD does not tell that apart from an answer';

/** Guards that are tested in the same ways share their rows. */
const made: {
  surface: Surface;
  skips: unknown;
  ways: unknown;
  lifts: unknown;
  isRefused: boolean;
  covering: Covering;
}[] = [];

/** A row of REST says the method too. */
function withMethod(row: Row): Row {
  const method = row.deed && deedNamed(row.deed).rest?.({ marker: '', id: '', lines: ['', ''] }).method;
  return method ? { ...row, method } : row;
}

/** The requests of a guard; `number` is among all guards. */
export function cellsOf(guard: Guard, number: number, surface: Surface): Cell[] {
  const asked = guard[surface];
  if (typeof asked === 'string') return [];
  return rowsOf(guard, surface).rows.map((row, index) => {
    const marker = (which: string) => `${surface}${number}-${index}${which}`;
    return {
      name: `${guard.name} | ${surface} | ${Object.values(row).join(' | ')}`,
      guard,
      surface,
      row,
      deed: deedNamed(row.deed ?? ''),
      targets: [newTarget(marker('a')), newTarget(marker('b'))],
      refusals: asked.refusals,
    };
  });
}

/** What a cell sends to /graphql about a target. */
export function attemptIn({ guard, deed }: Cell, target: Target): Attempt {
  return spoiled(guard.graphql, attemptOf(deed, target), deed, target);
}

/** What a cell sends to REST about a target. */
export function callIn({ guard, deed }: Cell, target: Target): RestAttempt {
  const call = deed.rest?.(target);
  if (!call) throw new Error(`REST has no ${deed.name}`);
  return spoiled(guard.rest, { ...call, headers: {}, key: 'everything' }, deed, target);
}

function spoiled<Request>(asked: Asked<Request>, request: Request, deed: Deed, target: Target): Request {
  return typeof asked === 'string' ? request : asked.spoil(request, deed, target);
}

/** The way a row of /graphql describes. */
export function wayIn({ row }: Cell): Way {
  return chosen(ways, row);
}

/** The way a row of REST describes. */
export function restWayIn({ row }: Cell): RestWay {
  return chosen(restWays, row);
}

function chosen<Ways extends Record<string, readonly string[]>>(
  columns: Ways,
  row: Row,
): { [Column in keyof Ways]: Ways[Column][number] };
function chosen(columns: Record<string, readonly string[]>, row: Row): Record<string, string> {
  return Object.fromEntries(Object.keys(columns).map((column) => [column, row[column] ?? '']));
}
